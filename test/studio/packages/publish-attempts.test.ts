import { expect, test } from 'vitest';
import { publish } from '#queues/studio.ts';
import { backoffMs } from '#src/lib/async/backoff.ts';

test('the attempts of a publication spread over about ten minutes, so that a receiver that is away is reached', () => {
  const { attempts, backoffMs: base, backoffCapMs } = publish;
  const pauses = Array.from({ length: attempts - 1 }, (_, index) =>
    backoffMs(index + 1, base, backoffCapMs, () => 0.5),
  );
  const minutes = pauses.reduce((sum, pause) => sum + pause, 0) / 60_000;
  expect(minutes).toBeGreaterThan(8);
  expect(minutes).toBeLessThan(12);
});
