import { expect, test } from 'vitest';
import type { Filter, StreamSource } from '#src/http/streams/stream-source.ts';
import { MemoryClient, memoryBus, memoryLedger, settle, trialHub } from '#test/http/hub.ts';

const only = (...wanted: string[]): Filter => ({
  wants: (type) => wanted.includes(type),
  narrow: (snapshot) => ({ wanted, snapshot }),
});

/** A hub over a ledger of a state, and clients that want a part of it. */
function stateStream() {
  const { bus, publish } = memoryBus();
  const ledger = memoryLedger();
  const hub = trialHub(bus);
  const source: StreamSource = { ...ledger.source, kind: { ...ledger.source.kind, snapshotFirst: true } };
  const join = async (filter: Filter | null, cursor: MemoryClient['cursor'] = null) => {
    const client = new MemoryClient();
    const seat = await hub.reserve(source, cursor);
    client.started = seat.start(client.sink, 'key-1', filter);
    await settle();
    return client;
  };
  const tell = async (...types: string[]) => {
    for (const type of types) publish('c', ledger.append(type));
    await settle();
  };
  return { hub, ledger, join, tell };
}
const told = ({ messages }: MemoryClient) => messages.map(({ id, type }) => `${type} ${id?.split('.')[1]}`);

test('who comes anew gets its part of the state, then what it wants of what changes; who has a cursor goes on', async () => {
  const { join, tell } = stateStream();
  await tell('a', 'b');
  const [some, all] = [await join(only('b')), await join(null)];
  await tell('a', 'b', 'a');
  await tell('a');
  await tell('b');
  expect(told(some)).toEqual(['snapshot 2', 'b 4', 'b 7']);
  expect(some.messages[0]?.data).toEqual({ wanted: ['b'], snapshot: { upTo: 2 } });
  expect(told(all)).toEqual(['snapshot 2', 'a 3', 'b 4', 'a 5', 'a 6', 'b 7']);
  expect(told(await join(only('a'), { epoch: 'e1', n: 4 }))).toEqual(['a 5', 'a 6']);
});

test('what a filter leaves out is no gap: a lost message is read again, and only what is wanted of it is told', async () => {
  const { hub, ledger, join, tell } = stateStream();
  const client = await join(only('b'));
  ledger.append('b');
  ledger.append('a');
  await tell('a');
  ledger.append('b');
  await hub.check();
  await settle();
  expect(told(client)).toEqual(['snapshot 0', 'b 1', 'b 4']);
});

test('another wish while the first snapshot is read is answered by one snapshot, of what is wanted now', async () => {
  const { join, tell } = stateStream();
  await tell('a');
  const client = await join(only('a'));
  client.started?.select(only('b'), true);
  client.started?.select(only('b', 'c'), true);
  await tell('a', 'b', 'c');
  expect(told(client)).toEqual(['snapshot 1', 'snapshot 1', 'b 3', 'c 4']);
  expect(client.messages[1]?.data).toMatchObject({ wanted: ['b', 'c'] });
  client.started?.select(only('c'), false);
  await tell('b', 'c');
  expect(told(client).slice(4)).toEqual(['c 6']);
});

test('a heartbeat tells how far a client is; who wants too much hears why, and nothing more', async () => {
  const { hub, join, tell } = stateStream();
  const client = await join(only('b'));
  await tell('a');
  hub.heartbeat();
  client.started?.refuse('too many');
  client.started?.tell({} as never);
  await tell('b');
  expect(told(client)).toEqual(['snapshot 0', 'heartbeat 1', 'error undefined']);
  expect(client.messages[2]?.data).toEqual({ code: 'quota_exceeded', detail: 'too many' });
  expect(client.ended).toBe('too_many');
});
