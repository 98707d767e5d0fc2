import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';

/** Delay until the provider shows what was sent. */
export const visibilityDelayMs = 150;

export interface Counted {
  readonly key: string;
  readonly kind: string;
  /** Calls that reached the provider. */
  readonly tries: number;
  /** Calls that it acted on: a second one of an idempotent kind does nothing. */
  readonly made: number;
}

export interface Provider extends AsyncDisposable {
  readonly url: string;
  readonly counts: () => readonly Counted[];
}

/**
 * A service outside, which no fault of ours reaches: it notes every call in a table. It has faults of its own: some
 * calls it refuses before it does anything, some it does and loses the answer.
 */
export async function openProvider(random: Random): Promise<Provider> {
  const table = new DatabaseSync(':memory:');
  table.exec('create table sends (key text, kind text, made integer, at real); create index sends_key on sends (key)');
  const note = table.prepare('insert into sends values (?, ?, ?, ?)');
  const first = table.prepare('select min(at) as at from sends where key = ? and made = 1');
  const madeAt = (key: string) => first.get(key)?.['at'] as number | null | undefined;

  const send = async (request: IncomingMessage, response: ServerResponse) => {
    const { key, kind } = JSON.parse(await text(request)) as { key: string; kind: string };
    await sleep(random.whole(0, 20));
    if (random.chance(0.03)) return response.writeHead(503).end('refused');
    const isRepeat = kind === 'idempotent' && typeof madeAt(key) === 'number';
    note.run(key, kind, isRepeat ? 0 : 1, performance.now());
    if (random.chance(0.03)) return response.destroy();
    return response.end(JSON.stringify({ id: `outside-${key}` }));
  };
  const find = (key: string, response: ServerResponse) => {
    const at = madeAt(key);
    const visible = typeof at === 'number' && performance.now() - at >= visibilityDelayMs;
    return response.end(JSON.stringify({ id: visible ? `outside-${key}` : null }));
  };
  const server = createServer((request, response) => {
    const key = new URL(request.url ?? '', 'http://provider').searchParams.get('key');
    if (key !== null) find(key, response);
    // a caller that was killed while it sent is no failure of the provider
    else send(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    counts: () =>
      table
        .prepare('select key, kind, count(*) as tries, sum(made) as made from sends group by key, kind')
        .all() as unknown as Counted[],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      table.close();
    },
  };
}
