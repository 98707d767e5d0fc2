import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { wilson } from '#src/analytics/domain/statistics/wilson.ts';
import type { Interval } from './history-row.ts';
import type { HistoryStudy } from './history-study-schema.ts';

type Hit = HistoryStudy['hits'][number];

interface HitTest {
  readonly name: Hit['name'];
  readonly meaning: string;
  /** Null where the interval is no trial. */
  readonly judge: (interval: Interval, before: Interval | undefined) => boolean | null;
  /** The rate a walk without memory has, where that is known. */
  readonly nullRate: number | null;
}

const hitTests: readonly HitTest[] = [
  {
    name: 'flip_side_kept',
    meaning: 'a flip is known; the next close is on the same side of it',
    judge: ({ known, from, to }) => {
      if (known === null || known.flip === null || from === known.flip) return null;
      return (from - known.flip) * (to - known.flip) > 0;
    },
    nullRate: null,
  },
  {
    name: 'call_wall_held',
    meaning: 'a call wall at or above the close is known; the next close is at or below it',
    judge: ({ known, from, to }) =>
      known === null || known.call_wall === null || from > known.call_wall ? null : to <= known.call_wall,
    nullRate: null,
  },
  {
    name: 'put_wall_held',
    meaning: 'a put wall at or below the close is known; the next close is at or above it',
    judge: ({ known, from, to }) =>
      known === null || known.put_wall === null || from < known.put_wall ? null : to >= known.put_wall,
    nullRate: null,
  },
  {
    name: 'momentum_below_flip',
    meaning: 'the close is below the flip; the next return has the sign of the last',
    judge: (interval, before) => sameSign(interval, before, -1),
    nullRate: 0.5,
  },
  {
    name: 'reversal_above_flip',
    meaning: 'the close is above the flip; the next return has the other sign than the last',
    judge: (interval, before) => {
      const same = sameSign(interval, before, 1);
      return same === null ? null : !same;
    },
    nullRate: 0.5,
  },
];

/** Rates of what levels and the side of the flip are said to do, before their p-values are corrected. */
export function historyHits(all: readonly Interval[], level: number): Omit<Hit, 'deflated_p'>[] {
  return hitTests.map(({ name, meaning, judge, nullRate }) => {
    const verdicts = all.map((interval, i) => judge(interval, all[i - 1])).filter((verdict) => verdict !== null);
    const rate = wilson(verdicts.filter(Boolean).length, verdicts.length, level);
    return { name, meaning, ...rate, null_rate: nullRate, p: scoreP(rate.hits, rate.trials, nullRate) };
  });
}

function sameSign({ known, from, return: next }: Interval, before: Interval | undefined, side: 1 | -1): boolean | null {
  if (known === null || known.flip === null || before === undefined || before.return === 0 || next === 0) return null;
  if (Math.sign(from - known.flip) !== side) return null;
  return before.return > 0 === next > 0;
}

/** Two-sided p of the score test of a rate, the test that Wilson's interval inverts; null below ten trials. */
function scoreP(hits: number, trials: number, nullRate: number | null): number | null {
  if (nullRate === null || trials < 10) return null;
  const z = (hits - trials * nullRate) / Math.sqrt(trials * nullRate * (1 - nullRate));
  return 2 * normalCdf(-Math.abs(z));
}
