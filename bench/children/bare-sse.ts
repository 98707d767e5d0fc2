import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { answerCalls } from '#bench/lib/calls.ts';
import { tickChannel } from '#bench/load/tick-stream.ts';

/** The least that can be done: one subscription, each message encoded once, one write per client and turn of the loop. */
const clients = new Set<ServerResponse>();
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  clients.add(response);
  response.on('close', () => clients.delete(response));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

const redisUrl = process.env['REDIS_URL'] ?? '';
const subscriber = new Redis(redisUrl);
await subscriber.subscribe(tickChannel);
let pending: string[] = [];
subscriber.on('message', (_channel, text) => {
  pending.push(`event: tick\ndata: ${text}\n\n`);
  if (pending.length === 1) setImmediate(flush);
});
function flush(): void {
  const bytes = Buffer.from(pending.join(''));
  pending = [];
  for (const client of clients) client.write(bytes);
}

answerCalls({
  address: () => ({ port: (server.address() as AddressInfo).port, key: '' }),
  followers: () => clients.size,
});
