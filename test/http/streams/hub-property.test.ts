import fc from 'fast-check';
import { expect, test } from 'vitest';
import { follow, MemoryClient, type Message, memoryBus, memoryLedger, settle, trialHub } from '#test/http/hub.ts';

const numbers = ({ messages }: { messages: readonly Message[] }) =>
  messages.flatMap(({ id }) => (id ? [Number(id.split('.')[1])] : []));

/** What happens to a stream and its clients, at random. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('publish' as const),
        lost: fc.integer({ min: 0, max: 9 }).map((n) => n < 3),
        size: fc.integer({ min: 0, max: 400 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('transient' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('disconnect' as const), client: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('stall' as const), client: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), client: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('redis' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('check' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('epoch' as const) }) },
  ),
  { minLength: 1, maxLength: 120 },
);

type Script = typeof steps extends fc.Arbitrary<infer S> ? S : never;

/** Plays a script against four clients, brings back whoever was cut off, and gives what each of them saw. */
async function play(script: Script, options: Parameters<typeof trialHub>[1], opens: boolean) {
  const { bus, publish, reconnect } = memoryBus();
  const ledger = memoryLedger('c', opens);
  const hub = trialHub(bus, options);
  const clients = Array.from({ length: 4 }, () => new MemoryClient());
  for (const client of clients) await follow(hub, ledger.source, client, null);
  for (const step of script) {
    const client = 'client' in step ? (clients[step.client] as MemoryClient) : null;
    if (step.do === 'publish') {
      const message = ledger.append('x', 'd'.repeat(step.size));
      if (!step.lost) publish('c', message);
    } else if (step.do === 'transient') publish('c', { type: 'progress', key: 'k', data: 1 });
    else if (step.do === 'disconnect') client?.started?.closed();
    else if (step.do === 'stall') client?.stall();
    else if (step.do === 'read') client?.read();
    else if (step.do === 'redis') reconnect();
    else if (step.do === 'check') await hub.check();
    else if (step.do === 'epoch') ledger.state.epoch += 'x';
    else await settle(1);
    if (step.do === 'disconnect' && client) await follow(hub, ledger.source, client);
  }
  const progress = () => publish('c', { type: 'progress', key: 'k', data: 2 });
  progress();
  publish('c', ledger.append('done'));
  progress();
  await settle();
  for (const client of clients) {
    client.read();
    for (let tries = 0; client.ended !== 'terminal' && tries < 5; tries++) {
      if (client.ended) await follow(hub, ledger.source, client);
      await hub.check();
      await settle();
    }
    expect(client.ended).toBe('terminal');
  }
  expect(hub.size()).toBe(0);
  // the law of a stream: nothing follows its last event; of another history, whose end it is not, a reset tells
  for (const client of clients) {
    const done = client.messages.findIndex(({ type }) => type === 'done');
    const after = done < 0 ? [] : client.messages.slice(done + 1);
    expect(after.filter(({ type }) => type !== 'reset')).toEqual([]);
  }
  return { clients, last: ledger.events.length };
}

test('property: with lost messages, disconnects, slow readers and new epochs every log is the ledger, or says reset', async () => {
  const tight = { clientBytes: 3_000, totalBytes: 8_000, bufferBytes: 1_000, replayEvents: 15, replayBytes: 2_500 };
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (script, opens) => {
      const { clients, last } = await play(script, tight, opens);
      expect(clients.map(({ messages }) => followsLedger(messages, last))).toEqual([true, true, true, true]);
    }),
    { numRuns: 300 },
  );
});

test('property: within the bounds and one epoch no client is ever reset: its log is the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (script, opens) => {
      const { clients, last } = await play(
        script.filter((step) => step.do !== 'epoch'),
        {},
        opens,
      );
      const ledger = Array.from({ length: last }, (_, index) => index + 1);
      for (const client of clients)
        expect([numbers(client), client.messages.some(({ type }) => type === 'reset')]).toEqual([ledger, false]);
    }),
    { numRuns: 300 },
  );
});

/** Numbers rise by one, except at a reset, which says its position; the last is the ledger's last. */
function followsLedger(messages: readonly Message[], last: number): boolean {
  let at = 0;
  for (const { id, type } of messages) {
    if (!id) continue;
    const n = Number(id.split('.')[1]);
    if (type !== 'reset' && n !== at + 1) return false;
    at = n;
  }
  return at === last;
}
