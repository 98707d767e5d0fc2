import { expect, test } from 'vitest';
import type { Observation, StoredSignals } from '#src/analytics/domain/signals/signals-schema.ts';
import { takeObservation } from '#src/analytics/domain/signals/track-signals.ts';
import { quiet, START } from '#test/analytics/quiet-market.ts';

const breach: readonly Partial<Observation>[] = [{ spot: 6010 }, { spot: 5990 }];

/** A session of two observations a minute apart, in which spot falls through its flip. */
function session(before: StoredSignals | null, order: number): { kept: StoredSignals | null; made: string[] } {
  let kept = before;
  const made: string[] = [];
  for (const [minute, change] of breach.entries()) {
    const seen = { ...quiet, flip: 6000, as_of: START + minute * 60_000, ...change };
    const taken = takeObservation(kept, seen, order + minute);
    if (!taken) throw new Error('expected a newer tick');
    kept = taken.stored;
    made.push(...taken.made.filter(({ kind }) => kind === 'flip_breach').map(({ id }) => id));
  }
  return { kept, made };
}

test('a session that is shown again makes no signal twice, forgets none, and has none of the old ones in force', () => {
  const first = session(null, 1);
  expect(first.made).toHaveLength(1);
  const anew = takeObservation(first.kept, { ...quiet, flip: 6000, as_of: START, spot: 6010 }, 3);
  expect(anew?.stored.current.map(({ id }) => id)).not.toContain(first.made[0]);
  expect(anew?.stored.recent.map(({ id }) => id)).toEqual(expect.arrayContaining(first.made));
  const again = session(first.kept, 3);
  expect(again.made).toEqual([]);
  expect(again.kept?.recent.filter(({ id }) => id === first.made[0])).toHaveLength(1);
  // in force it is as it was the first time
  expect(again.kept?.current.map(({ id }) => id)).toEqual(expect.arrayContaining(first.made));
});

test('a tick that is not newer changes nothing, whatever its time says', () => {
  const { kept } = session(null, 5);
  for (const order of [4, 6]) expect(takeObservation(kept, { ...quiet, as_of: START + 3_600_000 }, order)).toBeNull();
});
