import { expect, test, vi } from 'vitest';
import { follow, MemoryClient, memoryBus, memoryLedger, settle, trialHub } from '#test/http/hub.ts';

test('a process over its bound by unread histories cuts off as many as it takes', async () => {
  const { bus } = memoryBus();
  const hub = trialHub(bus, { totalBytes: 10_000 });
  const clients = Array.from({ length: 50 }, () => new MemoryClient());
  for (const [index, client] of clients.entries()) {
    const ledger = memoryLedger(`c${index}`);
    for (let n = 0; n < 5; n++) ledger.append('x', 'y'.repeat(900));
    const seat = await hub.reserve(ledger.source, null);
    client.stall();
    client.started = seat.start(client.sink, null);
  }
  await settle(20);
  const unread = clients.map(({ sink }) => sink.unwritten());
  expect(unread.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(10_000);
  expect(unread.filter((bytes) => bytes > 0).length).toBeGreaterThan(0);
});

test('a dropped client counts until it is cut off', async () => {
  const { bus, publish } = memoryBus();
  const hub = trialHub(bus, { clientBytes: 3_000, totalBytes: 6_000 });
  const clients = Array.from({ length: 3 }, () => new MemoryClient());
  for (const client of clients) {
    const ledger = memoryLedger(`c${clients.indexOf(client)}`);
    client.lingers = true;
    await follow(hub, ledger.source, client, null);
    await settle();
    client.stall();
    for (let n = 0; n < 4; n++) {
      publish(ledger.source.channel, ledger.append('x', 'y'.repeat(800)));
      await settle(2);
    }
  }
  await settle();
  expect(clients.map(({ ended }) => ended)).toEqual(['slow', 'slow', 'slow']);
  expect(clients.reduce((sum, { sink }) => sum + sink.unwritten(), 0)).toBeLessThanOrEqual(6_000);
});

test('a key may have so many streams; one that is closed or given up makes room', async () => {
  const { bus } = memoryBus();
  const hub = trialHub(bus, { perKey: 2 });
  const { source } = memoryLedger();
  const client = new MemoryClient();
  const first = await hub.reserve(source, null, 'key-1');
  client.started = first.start(client.sink, 'key-1');
  const second = await hub.reserve(source, null, 'key-1');
  await expect(hub.reserve(source, null, 'key-1')).rejects.toMatchObject({ code: 'quota_exceeded' });
  await hub.reserve(source, null, 'key-2');
  second.release();
  client.started.closed();
  await hub.reserve(source, null, 'key-1');
  await hub.reserve(source, null, 'key-1');
});

test('shutdown does not wait for ever for a connection of which nothing is heard', async () => {
  const { bus } = memoryBus();
  const client = new MemoryClient();
  const hub = trialHub(bus);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    await follow(hub, memoryLedger().source, client, null);
    await settle();
    client.lingers = true;
    client.stall();
    const closing = hub.shutdown();
    await vi.advanceTimersByTimeAsync(3_000);
    await closing;
    expect(hub.size()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
