import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { openEventStore } from '#src/mcp/transport/event-store.ts';
import { openSessions } from '#src/mcp/transport/sessions.ts';

const principal = { owner: 'o', keyId: 'k', scopes: [], operator: false, human: null, session: null, tier: 'standard' };
const made = (options = {}) =>
  openSessions({
    most: 3,
    idleMs: 1_000,
    keepAliveMs: 0,
    makeServer: () => new McpServer({ name: 'test', version: '1' }),
    ...options,
  });

test('an unused session ends; one that is in use never', async () => {
  const sessions = made();
  const [unused, used] = [await sessions.open(principal), await sessions.open(principal)];
  const release = used.use();
  await sessions.sweep(Date.now() + 900);
  expect(sessions.size()).toBe(2);
  await sessions.sweep(Date.now() + 100_000);
  expect(sessions.size()).toBe(1);
  expect(() => sessions.find(unused.id, principal)).toThrow(/session of this key/);
  release();
  await sessions.sweep(Date.now() + 100_000);
  expect(sessions.size()).toBe(0);
});

test('a process that stops begins no session, and ends all', async () => {
  const sizes: number[] = [];
  const refused: string[] = [];
  const sessions = made({
    onSize: (size: number) => sizes.push(size),
    onRefused: (reason: string) => refused.push(reason),
  });
  const session = await sessions.open(principal);
  session.use();
  sessions.stop();
  await expect(sessions.open(principal)).rejects.toMatchObject({ code: 'unavailable' });
  expect(sessions.size()).toBe(1);
  await sessions.endAll();
  expect(sessions.size()).toBe(0);
  expect(sessions.keyIds()).toEqual([]);
  expect([sizes.at(0), sizes.at(-1), refused]).toEqual([1, 0, ['stopping']]);
});

const message = (text: string) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { text } }) as const;

async function replay(store: ReturnType<typeof openEventStore>, id: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await store.replayEventsAfter(id, { send: async (_id, { ...event }) => void sent.push(event) });
  return sent;
}

test('events are replayed behind the one that was seen, of its stream alone', async () => {
  const store = openEventStore();
  const first = await store.storeEvent('a', {} as never);
  await store.storeEvent('b', message('other'));
  await store.storeEvent('a', message('one'));
  const second = await store.storeEvent('a', message('two'));
  expect(await replay(store, first)).toEqual([message('one'), message('two')]);
  expect(await replay(store, second)).toEqual([]);
  expect(await store.getStreamIdForEventId?.(first)).toBe('a');
});

test('what is kept is bounded: the stream written longest ago goes whole, and is unknown from then on', async () => {
  const store = openEventStore(1_000);
  const old = await store.storeEvent('old', message('x'.repeat(300)));
  const young = await store.storeEvent('young', message('y'.repeat(300)));
  await store.storeEvent('young', message('z'.repeat(300)));
  expect(await store.getStreamIdForEventId?.(old)).toBeUndefined();
  expect(await replay(store, young)).toHaveLength(1);
  // too large by itself: gone as well, rather than with a hole
  await store.storeEvent('young', message('w'.repeat(2_000)));
  expect(await store.getStreamIdForEventId?.(young)).toBeUndefined();
  expect(await store.getStreamIdForEventId?.('young')).toBeUndefined();
});
