import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { generateChainCsv } from '#test/analytics/generate-chain.ts';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** A local server in the place of the exchange's: `reply` answers, and every request is remembered. */
export async function quotesServer(first: Reply) {
  const requests: IncomingMessage[] = [];
  const served = { reply: first };
  const server = createServer((request, response) => {
    requests.push(request);
    served.reply(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/options/`,
    requests,
    served,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const sends =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Reply =>
  (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

/** A document as a server sends it that compresses, with its validator. */
export const sendsDocument = (text: string, etag = '"1"') =>
  sends(200, { 'content-encoding': 'gzip', etag, 'last-modified': 'Fri, 20 Nov 2026 20:30:00 GMT' }, gzipSync(text));

/** Ends the connection before the body is whole. */
export const breaksOff =
  (body: string): Reply =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.slice(0, 1_000), () => response.destroy());
  };

/** Delayed quotes of a generated chain as of a UTC minute such as `2026-11-20 20:30`, under a real market's name. */
export function quotesText(symbol: MarketSymbol, minute: string, share = 1): string {
  const at = Date.parse(`${minute.replace(' ', 'T')}:00Z`);
  const { spot, contracts } = readChain(generateChainCsv({ symbol, at }), symbol);
  const options = contracts.slice(0, Math.floor(contracts.length * share)).map((contract) => ({
    option: contract.symbol,
    bid: contract.bid,
    ask: contract.ask,
    iv: contract.iv,
    open_interest: contract.openInterest,
    volume: contract.volume,
  }));
  return JSON.stringify({
    timestamp: `${minute}:00`,
    symbol: `_${symbol}`,
    data: { symbol: `^${symbol}`, current_price: spot, options },
  });
}
