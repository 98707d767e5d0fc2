import { expect, test } from 'vitest';
import { follow, MemoryClient, type Message, memoryBus, memoryLedger, settle, trialHub } from '#test/http/hub.ts';

const numbers = ({ messages }: { messages: readonly Message[] }) =>
  messages.flatMap(({ id }) => (id ? [Number(id.split('.')[1])] : []));
const types = ({ messages }: { messages: readonly Message[] }) => messages.map(({ type }) => type);

test('a client gets the history and then what happens, each event once, and the last one closes', async () => {
  const { bus, publish, channels } = memoryBus();
  const ledger = memoryLedger();
  const hub = trialHub(bus);
  ledger.append('a');
  ledger.append('b');
  const client = new MemoryClient();
  await follow(hub, ledger.source, client, null);
  await settle();
  publish('c', ledger.append('c'));
  publish('c', ledger.append('done'));
  await settle();
  expect(numbers(client)).toEqual([1, 2, 3, 4]);
  expect(client.ended).toBe('terminal');
  expect(channels.size).toBe(0);
});

test('progress that comes with the last event, or after it, is not told behind it, by whichever way a client gets that event', async () => {
  const { bus, publish } = memoryBus();
  const progress = (at: number) => publish('c', { type: 'progress', key: 'k', data: at });
  const ledger = memoryLedger();
  const hub = trialHub(bus, { clientBytes: 1_000_000 });
  ledger.append('a');
  const [live, busy, late] = [new MemoryClient(), new MemoryClient(), new MemoryClient()];
  await follow(hub, ledger.source, live, null);
  await follow(hub, ledger.source, busy, null);
  await settle();
  busy.stall();
  publish('c', ledger.append('b', 'x'.repeat(200_000)));
  await settle();
  const gate = Promise.withResolvers<void>();
  ledger.state.gate = gate.promise;
  // its stream opens as the job ends
  await follow(hub, ledger.source, late, null);
  progress(1);
  await settle();
  publish('c', ledger.append('done'));
  progress(2);
  await settle();
  progress(3);
  gate.resolve();
  await settle();
  busy.read();
  await settle();
  expect(types(live)).toEqual(['a', 'b', 'progress', 'done']);
  expect(types(busy)).toEqual(['a', 'b', 'done']);
  expect(types(late)).toEqual(['a', 'b', 'done']);
  for (const client of [live, busy, late]) expect(client.ended).toBe('terminal');
});

test('what is published while the ledger is read is neither lost nor doubled', async () => {
  const { bus, publish } = memoryBus();
  const ledger = memoryLedger();
  const gate = Promise.withResolvers<void>();
  ledger.state.gate = gate.promise;
  ledger.append('a');
  const client = new MemoryClient();
  const hub = trialHub(bus);
  await follow(hub, ledger.source, client, null);
  publish('c', ledger.append('b'));
  publish('c', ledger.append('c'));
  await settle();
  expect(client.messages).toEqual([]);
  gate.resolve();
  await settle();
  expect(numbers(client)).toEqual([1, 2, 3]);
});

test('a lost message shows at the next one, at the next comparison, and after a reconnect', async () => {
  const { bus, publish, reconnect } = memoryBus();
  const ledger = memoryLedger();
  const client = new MemoryClient();
  const hub = trialHub(bus);
  await follow(hub, ledger.source, client, null);
  await settle();
  ledger.append('lost');
  publish('c', ledger.append('next'));
  await settle();
  expect(numbers(client)).toEqual([1, 2]);
  ledger.append('lost');
  await hub.check();
  await settle();
  expect(numbers(client)).toEqual([1, 2, 3]);
  ledger.append('lost');
  reconnect();
  await settle();
  expect(numbers(client)).toEqual([1, 2, 3, 4]);
});

test('a lost last event still ends the stream', async () => {
  const { bus } = memoryBus();
  const ledger = memoryLedger();
  const client = new MemoryClient();
  const hub = trialHub(bus);
  await follow(hub, ledger.source, client, null);
  await settle();
  ledger.append('done');
  await hub.check();
  await settle();
  expect([numbers(client), client.ended]).toEqual([[1], 'terminal']);
});

test('messages of one turn of the event loop are one write per client, encoded once', async () => {
  const { bus, publish } = memoryBus();
  const ledger = memoryLedger();
  const hub = trialHub(bus);
  const clients = Array.from({ length: 20 }, () => new MemoryClient());
  for (const client of clients) await follow(hub, ledger.source, client, null);
  await settle();
  const before = clients.map(({ writes }) => writes);
  for (let n = 0; n < 50; n++) publish('c', ledger.append('x'));
  await settle();
  for (const [index, client] of clients.entries()) {
    expect(client.messages).toHaveLength(50);
    expect(client.writes - (before[index] ?? 0)).toBe(1);
  }
});

test('a thousand clients that come back together read the ledger once', async () => {
  const { bus } = memoryBus();
  const ledger = memoryLedger();
  for (let n = 0; n < 10; n++) ledger.append('x');
  const hub = trialHub(bus);
  const clients = Array.from({ length: 1_000 }, () => new MemoryClient());
  await Promise.all(clients.map((client) => follow(hub, ledger.source, client, null)));
  await settle();
  expect(ledger.state.reads).toBe(1);
  expect(clients.every(({ messages }) => messages.length === 10)).toBe(true);
});

test('a foreign epoch, a cursor ahead of the stream and a history too long are answered by reset with a snapshot', async () => {
  const { bus } = memoryBus();
  const ledger = memoryLedger();
  for (let n = 0; n < 30; n++) ledger.append('x');
  const hub = trialHub(bus, { replayEvents: 20 });
  const cases = [
    [{ epoch: 'e0', n: 3 }, 'epoch'],
    [{ epoch: 'e1', n: 99 }, 'ahead'],
    [{ epoch: 'e1', n: 2 }, 'too_long'],
  ] as const;
  for (const [cursor, reason] of cases) {
    const client = new MemoryClient();
    await follow(hub, ledger.source, client, cursor);
    await settle();
    expect(client.messages).toMatchObject([{ id: 'e1.30', type: 'reset', data: { reason, snapshot: { upTo: 30 } } }]);
  }
});

test('a new epoch resets every client', async () => {
  const { bus, publish } = memoryBus();
  const ledger = memoryLedger();
  const client = new MemoryClient();
  const hub = trialHub(bus);
  ledger.append('a');
  await follow(hub, ledger.source, client, null);
  await settle();
  ledger.state.epoch = 'e2';
  publish('c', ledger.append('b'));
  await settle();
  expect(types(client)).toEqual(['a', 'reset']);
  expect(client.cursor).toEqual({ epoch: 'e2', n: 2 });
});

test('transient events carry no id; a slow client gets the newest of each key, and every durable one', async () => {
  const { bus, publish } = memoryBus();
  const ledger = memoryLedger();
  const client = new MemoryClient();
  const hub = trialHub(bus, { clientBytes: 4_000 });
  await follow(hub, ledger.source, client, null);
  await settle();
  client.stall();
  publish('c', ledger.append('filler', 'x'.repeat(1_000)));
  await settle();
  for (let done = 1; done <= 30; done++) {
    publish('c', { type: 'progress', key: done % 2 ? 'odd' : 'even', data: done });
    await settle(1);
  }
  publish('c', ledger.append('b'));
  await settle();
  client.read();
  expect(types(client)).toEqual(['filler', 'b', 'progress', 'progress']);
  expect(client.messages.slice(2).map(({ data, id }) => [data, id])).toEqual([
    [29, undefined],
    [30, undefined],
  ]);
});

test('a client over its bound is told reset and closed; the others go on', async () => {
  const { bus, publish } = memoryBus();
  const ledger = memoryLedger();
  const dropped: string[] = [];
  const hub = trialHub(bus, { clientBytes: 2_000, onDropped: (transport) => dropped.push(transport) });
  const [slow, quick] = [new MemoryClient(), new MemoryClient()];
  await follow(hub, ledger.source, slow, null);
  await follow(hub, ledger.source, quick, null);
  await settle();
  slow.stall();
  for (let n = 0; n < 5; n++) {
    publish('c', ledger.append('x', 'y'.repeat(600)));
    await settle(2);
  }
  expect(slow.ended).toBe('slow');
  expect(slow.messages.at(-1)).toMatchObject({ type: 'reset', data: { reason: 'slow' } });
  expect([numbers(quick), quick.ended, dropped]).toEqual([[1, 2, 3, 4, 5], null, ['sse']]);
});

test('a process over its bound cuts off the client with the most unread', async () => {
  const { bus, publish } = memoryBus();
  const ledger = memoryLedger();
  const hub = trialHub(bus, { totalBytes: 4_000 });
  const clients = Array.from({ length: 3 }, () => new MemoryClient());
  for (const client of clients) await follow(hub, ledger.source, client, null);
  await settle();
  clients[1]?.stall();
  for (let n = 0; n < 8; n++) {
    publish('c', ledger.append('x', 'y'.repeat(600)));
    await settle(2);
  }
  expect(clients.map(({ ended }) => ended)).toEqual([null, 'slow', null]);
});

test('the streams of a revoked key end with a typed event; shutdown ends all and refuses new ones', async () => {
  const { bus } = memoryBus();
  const ledger = memoryLedger();
  const hub = trialHub(bus);
  const [one, two] = [new MemoryClient(), new MemoryClient()];
  await follow(hub, ledger.source, one, null, 'key-1');
  await follow(hub, ledger.source, two, null, 'key-2');
  await settle();
  hub.closeKey('key-1', 'expired');
  expect([one.ended, types(one), one.messages[0]?.data, two.ended]).toEqual([
    'revoked',
    ['revoked'],
    { reason: 'expired' },
    null,
  ]);
  expect(hub.keyIds()).toEqual(['key-2']);
  await hub.shutdown();
  expect(two.ended).toBe('shutdown');
  await expect(hub.reserve(ledger.source, null)).rejects.toThrow('stopping');
});

test('the first client of a stream that opens at once costs one read; who comes later with events behind it misses none', async () => {
  const { bus, publish } = memoryBus();
  const ledger = memoryLedger('c', true);
  ledger.append('a');
  const hub = trialHub(bus);
  const slot = await hub.reserve(ledger.source, null);
  publish('c', ledger.append('b'));
  await settle();
  const [one, two] = [new MemoryClient(), new MemoryClient()];
  one.started = slot.start(one.sink, null);
  await settle();
  expect([numbers(one), ledger.state.reads]).toEqual([[1, 2], 2]);
  await follow(hub, ledger.source, two, { epoch: 'e1', n: 1 });
  publish('c', ledger.append('done'));
  await settle();
  expect([numbers(one), numbers(two), one.ended, two.ended]).toEqual([[1, 2, 3], [2, 3], 'terminal', 'terminal']);
});

test('error: a ledger that cannot be read for a while delays a client and loses nothing', async () => {
  const { bus } = memoryBus();
  const ledger = memoryLedger();
  ledger.append('a');
  let failures = 3;
  const shaky = {
    ...ledger.source,
    replay: async (after: number, limit: number) => {
      if (failures-- > 0) throw new Error('away');
      return await ledger.source.replay(after, limit);
    },
  };
  const client = new MemoryClient();
  const hub = trialHub(bus);
  await follow(hub, shaky, client, null);
  await client.started?.caughtUp;
  expect(numbers(client)).toEqual([1]);
});
