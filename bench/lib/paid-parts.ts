import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Adapter } from '#src/providers/catalogue/adapter.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { type Parts, parts } from '#workers/providers/parts.ts';

/** A provider over HTTP that counts what it is owed, and what it is called with. */
export interface PaidProvider extends AsyncDisposable {
  readonly id: string;
  readonly parts: Parts;
  /** Millionths of a dollar that it has billed so far, whatever the books of the service say. */
  readonly billed: () => number;
}

const provider: Provider = {
  id: 'bench-provider',
  title: 'A provider of the benchmark',
  style: 'openai-compatible',
  capabilities: { 'text.generate': { model: 'm', price: { perCall: 0.1 }, latency: { base: 0 }, quality: 1 } },
};

/** Each call is billed at `price` and answered at once. */
export async function startPaidProvider(price: number): Promise<PaidProvider> {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(String(++calls)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const adapter: Adapter = {
    kind: 'exchange',
    repeat: () => 'neither',
    generate: async ({ signal }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', signal });
      return { produced: [], billed: price, externalId: await answer.text(), text: 'done' };
    },
  };
  return {
    id: provider.id,
    billed: () => calls * price,
    parts: {
      ...parts,
      catalogueOf: () => [provider],
      adapterOf: () => adapter,
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
