import { once } from 'node:events';
import { expect, test } from 'vitest';
import { circuitRules } from '#src/lib/async/circuit.ts';
import { admit, report } from '#src/providers/calls/admission.ts';
import { takeSlot } from '#src/providers/calls/concurrency.ts';
import { healthOf } from '#src/providers/routing/health.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';
import { provider } from '#test/providers/offers.ts';

const one = provider({ concurrency: 2 });
const never = new AbortController().signal;

/** Two processes of one system, as far as Redis can tell. */
async function twoProcesses() {
  await using stack = new AsyncDisposableStack();
  const { config } = stack.use(await testConfig());
  const open = async () => {
    const context = stack.use(await openContext(config, 'worker'));
    if (context.redis.status !== 'ready') await once(context.redis, 'ready');
    return context;
  };
  const both = [await open(), await open()] as const;
  const all = stack.move();
  return { both, config, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function call(context: Context, outcome: 'succeeded' | 'failed') {
  const admission = await admit(context, one, 'image.generate');
  if (admission.admitted) await report(context, admission, outcome);
  return admission.admitted;
}

/** Moves the end of the pause into the past, as if it had gone by. */
async function endPause({ redis, config }: Context) {
  const key = `${config.REDIS_PREFIX}:circuit:${one.id}:image.generate`;
  const circuit = JSON.parse((await redis.get(key)) ?? '{}') as Record<string, unknown>;
  await redis.set(key, JSON.stringify({ ...circuit, openUntil: 1 }));
}

test('failures in two processes open one circuit for both, and one probe of all closes it for both', async () => {
  await using system = await twoProcesses();
  const [left, right] = system.both;
  for (let n = 0; n < circuitRules.failures; n++) expect(await call(n % 2 === 0 ? left : right, 'failed')).toBe(true);
  expect(await call(left, 'failed')).toBe(false);
  expect(await call(right, 'failed')).toBe(false);
  await endPause(left);
  const admissions = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => await admit(n % 2 === 0 ? left : right, one, 'image.generate')),
  );
  const [probe, ...others] = admissions.filter(({ admitted }) => admitted);
  expect(others).toEqual([]);
  if (!probe?.admitted) throw new Error('expected a probe');
  await report(left, probe, 'succeeded');
  expect(await call(right, 'succeeded')).toBe(true);
  const held = await left.metrics.proofline_provider_calls_held_total.get();
  expect(held.values[0]?.value).toBeGreaterThan(0);
});

test('a circuit that was seen closed a moment ago is not looked at again; one seen long ago is', async () => {
  await using system = await twoProcesses();
  const [left, right] = system.both;
  for (let n = 0; n < circuitRules.failures; n++) await call(left, 'failed');
  const seen = async (at: number) => (await admit(right, one, 'image.generate', at)).admitted;
  expect([await seen(performance.now()), await seen(performance.now() - 1_000)]).toEqual([true, false]);
});

test('failures that end at once in many calls are all counted', async () => {
  await using system = await twoProcesses();
  const admissions = await Promise.all(
    Array.from(
      { length: circuitRules.failures },
      async (_, n) => await admit(system.both[n % 2 ? 1 : 0], one, 'image.generate'),
    ),
  );
  await Promise.all(
    admissions.map(
      async (admission, n) => admission.admitted && (await report(system.both[n % 2 ? 1 : 0], admission, 'failed')),
    ),
  );
  expect(await call(system.both[0], 'failed')).toBe(false);
});

test('while Redis is away calls go, and each process counts for itself', async () => {
  await using system = await twoProcesses();
  const [left, right] = system.both;
  left.redis.disconnect();
  for (let n = 0; n < circuitRules.failures; n++) expect(await call(left, 'failed')).toBe(true);
  expect(await call(left, 'failed')).toBe(false);
  expect(await call(right, 'succeeded')).toBe(true);
  const places = [await takeSlot(left, one, never), await takeSlot(left, one, never)];
  await expect(takeSlot(left, one, AbortSignal.timeout(200))).rejects.toThrow('due to timeout');
  for (const place of places) await place[Symbol.asyncDispose]();
  await using _free = await takeSlot(left, one, never);
});

test('two processes together have the slots of a provider, and a released one is taken by a waiting caller', async () => {
  await using system = await twoProcesses();
  const [left, right] = system.both;
  const first = await takeSlot(left, one, never);
  await using _second = await takeSlot(right, one, never);
  await expect(takeSlot(right, one, AbortSignal.timeout(200))).rejects.toThrow('due to timeout');
  const third = takeSlot(right, one, never);
  await first[Symbol.asyncDispose]();
  await using _third = await third;
  expect(await left.redis.zcard(`${system.config.REDIS_PREFIX}:places:${one.id}`)).toBe(2);
});

test('the slot of a process that died is free once its lease has ended', async () => {
  await using system = await twoProcesses();
  const [left] = system.both;
  const key = `${system.config.REDIS_PREFIX}:places:${one.id}`;
  await left.redis.zadd(key, '1', 'of a dead process', String(Date.now() + 600_000), 'of a living one');
  await using _place = await takeSlot(left, one, never);
  expect(await left.redis.zrange(key, '0', '-1')).not.toContain('of a dead process');
  expect(await left.redis.zrange(key, '0', '-1')).toContain('of a living one');
});

test('health of the whole catalogue is reported by id', async () => {
  await using system = await twoProcesses();
  const health = await healthOf(system.both[0]);
  expect([...health.keys()]).toEqual(['local-animatic']);
  expect(health.get('local-animatic')?.circuit).toBe('closed');
});

test('a refusal is the work of a provider that works, and calls are counted', async () => {
  await using system = await twoProcesses();
  const [context] = system.both;
  for (let n = 0; n <= circuitRules.failures; n++) {
    const admission = await admit(context, one, 'image.generate');
    if (!admission.admitted) throw new Error('expected an admission');
    await report(context, admission, 'refused');
  }
  const text = await context.metrics.registry.metrics();
  expect(text).toContain(
    'proofline_provider_calls_total{provider="one",capability="image.generate",outcome="refused"} 6',
  );
  expect(text).toContain('proofline_provider_circuit_state{provider="one",capability="image.generate"} 0');
});
