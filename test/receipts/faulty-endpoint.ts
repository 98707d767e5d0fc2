import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a question: answered, lost on its way there or back, refused with an odd error, answered with nonsense. */
export type Fate = 'answer' | 'lose_question' | 'lose_answer' | 'refuse' | 'babble';

export interface FaultyEndpoint extends AsyncDisposable {
  readonly url: string;
  /** Decides over every question; at first all are answered. */
  fate: (method: string) => Fate;
  /** Where questions go. */
  target: string;
}

/** A JSON-RPC endpoint in front of another one, which fails as it is told. */
export async function faultyEndpoint(target: string): Promise<FaultyEndpoint> {
  const server = createServer((request, response) => {
    const handle = async () => {
      const body = await textOf(request);
      const { id, method }: { id: number; method: string } = JSON.parse(body);
      const fate = endpoint.fate(method);
      if (fate === 'lose_question') return response.destroy();
      const error = { code: -32_000, message: 'the moon is in the wrong phase' };
      if (fate === 'refuse') return response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(endpoint.target, { method: 'POST', headers, body });
      const text = await answer.text();
      if (fate === 'lose_answer') return response.destroy();
      if (fate === 'babble') return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 'babble' }));
      return response.writeHead(200, headers).end(text);
    };
    handle().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint: FaultyEndpoint = {
    url: `http://127.0.0.1:${port}`,
    fate: () => 'answer',
    target,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return endpoint;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
