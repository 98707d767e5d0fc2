import { expect, test } from 'vitest';
import { openLimits } from '#src/access/limits/request-limits.ts';
import { until } from '#test/helpers/processes.ts';
import { quietSystem } from '#test/helpers/quiet.ts';

test('requests that are counted together are counted one by one: each has its own place in the budget', async () => {
  await using system = await quietSystem({ RATE_STANDARD_PER_MINUTE: '4' });
  await until(() => system.context.redis.status === 'ready');
  const limits = openLimits(system.context);
  const all = await Promise.all(
    Array.from({ length: 6 }, async () => await limits.ofCaller('a key', { owner: 'alice', tier: 'standard' })),
  );
  const minutes = all.map(([minute]) => minute);
  expect(minutes.map((minute) => minute?.remaining)).toEqual([3, 2, 1, 0, 0, 0]);
  expect(minutes.map((minute) => minute?.exceeded)).toEqual([false, false, false, false, true, true]);
  const [other] = await limits.ofCaller('another key', { owner: 'alice', tier: 'standard' });
  expect(other).toMatchObject({ policy: 'standard-minute', quota: 4, remaining: 3, exceeded: false });
});
