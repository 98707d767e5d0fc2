import { regimeStates } from '#src/analytics/domain/regime/regime.ts';
import { blockBootstrap } from '#src/analytics/domain/statistics/block-bootstrap.ts';
import { deflateP } from '#src/analytics/domain/statistics/deflated-p.ts';
import { autocorrelation } from '#src/analytics/domain/statistics/descriptive.ts';
import { leastSquares } from '#src/analytics/domain/statistics/least-squares.ts';
import { neweyWest } from '#src/analytics/domain/statistics/newey-west.ts';
import { permutationP } from '#src/analytics/domain/statistics/permutation.ts';
import { historyHits } from './history-hits.ts';
import { type HistoryRow, type Interval, intervals } from './history-row.ts';
import type { HistoryStudy } from './history-study-schema.ts';

const LEVEL = 0.95;
/** About three months: below it an interval says little and a lag of four a lot. */
const NEEDED = 60;
const MIN_REGIME = 5;
const regressors = ['ngr', 'dsi_raw_share'] as const;

export interface StudyOptions {
  /** Seeds resampling: the same text gives the same study. */
  readonly seed: string;
  readonly draws?: number;
}

type Known = Interval & { readonly known: HistoryRow };

/**
 * Studies how NGR, DSI, regime and levels foretold the next session (analytics.md 2.14), from what was known when it
 * began. Every p-value is corrected for the number of tests made.
 */
export function historyStudy(rows: readonly HistoryRow[], { seed, draws = 500 }: StudyOptions): HistoryStudy {
  const all = intervals(rows);
  const known = all.filter((interval): interval is Known => interval.known !== null);
  const enough = known.length >= NEEDED;
  const used = enough ? known : [];
  const regressions = enough ? regressors.map((name) => regress(used, name, { seed, draws })) : [];
  const contrast = compareRegimes(used, { seed, draws });
  const hits = enough ? historyHits(all, LEVEL) : [];
  const raw = [...regressions.map(({ p }) => p), contrast.p, ...hits.map(({ p }) => p)];
  const deflated = deflateP(raw);
  return {
    status: enough ? 'ok' : 'insufficient_history',
    needed: NEEDED,
    present: known.length,
    first_session: known[0]?.session ?? null,
    last_session: known.at(-1)?.session ?? null,
    tests: raw.filter((p) => p !== null).length,
    level: LEVEL,
    abs_return_autocorrelation: autocorrelation(
      used.map(({ return: r }) => Math.abs(r)),
      1,
    ),
    regressions: regressions.map((row, i) => ({ ...row, deflated_p: deflated[i]! })),
    regime_volatility: enough ? regimeVolatility(used, { seed, draws }) : [],
    negative_over_positive: { ...contrast, deflated_p: deflated[regressions.length]! },
    hits: hits.map((row, i) => ({ ...row, deflated_p: deflated[regressions.length + 1 + i]! })),
  };
}

function regress(
  used: readonly Known[],
  regressor: (typeof regressors)[number],
  { seed, draws }: Required<StudyOptions>,
): Omit<HistoryStudy['regressions'][number], 'deflated_p'> {
  const rows = used.filter(({ known }) => known[regressor] !== null);
  const x = rows.map(({ known }) => known[regressor]!);
  const y = rows.map(({ return: r }) => Math.abs(r));
  const fit =
    rows.length < NEEDED
      ? null
      : neweyWest(
          x.map((value) => [1, value]),
          y,
          { level: LEVEL },
        );
  const slope = fit?.coefficients[1];
  const slopeOf = (a: readonly number[], b: readonly number[]) =>
    leastSquares(
      a.map((value) => [1, value]),
      b,
    )?.coefficients[1] ?? null;
  const shifted = fit === null ? null : permutationP(x, y, slopeOf, { seed, draws, scheme: 'shift' });
  return {
    regressor,
    response: 'abs_return',
    observations: rows.length,
    slope: slope?.value ?? null,
    standard_error: slope?.standard_error ?? null,
    t: slope?.t ?? null,
    lower: slope?.lower ?? null,
    upper: slope?.upper ?? null,
    lag: fit?.lag ?? null,
    r_squared: fit?.r_squared ?? null,
    permutation_p: shifted,
    p: slope?.p ?? null,
  };
}

function realised(rows: readonly Interval[]): number | null {
  if (rows.length < MIN_REGIME) return null;
  return Math.sqrt((252 * rows.reduce((sum, { return: r }) => sum + r * r, 0)) / rows.length);
}

function regimeVolatility(used: readonly Known[], { seed, draws }: Required<StudyOptions>) {
  return regimeStates.map((regime) => {
    const of = (rows: readonly Known[]) => rows.filter(({ known }) => known.regime === regime);
    // Blocks are drawn from all intervals: those of one regime are not neighbours in time.
    const { value, lower, upper } = blockBootstrap(used, (rows) => realised(of(rows)), { seed, draws, level: LEVEL });
    return { regime, observations: of(used).length, volatility: value, lower, upper };
  });
}

/** Volatility after amplifying over that after damping regimes, and how often shifted regimes give as much. */
function compareRegimes(used: readonly Known[], { seed, draws }: Required<StudyOptions>) {
  const sides = used.map(({ known }) => {
    if (known.regime === null || known.regime === 'transition') return 0;
    return known.regime === 'positive' || known.regime === 'strong_positive' ? 1 : -1;
  });
  const logRatio = (side: readonly number[], rows: readonly Interval[]) => {
    const negative = realised(rows.filter((_, i) => side[i] === -1));
    const positive = realised(rows.filter((_, i) => side[i] === 1));
    return negative === null || positive === null || negative === 0 || positive === 0
      ? null
      : Math.log(negative / positive);
  };
  const pairs = used.map((interval, i) => ({ interval, side: sides[i]! }));
  const drawn = blockBootstrap(
    pairs,
    (rows) =>
      logRatio(
        rows.map(({ side }) => side),
        rows.map(({ interval }) => interval),
      ),
    { seed, draws, level: LEVEL },
  );
  const exp = (value: number | null) => (value === null ? null : Math.exp(value));
  return {
    ratio: exp(drawn.value),
    lower: exp(drawn.lower),
    upper: exp(drawn.upper),
    p: permutationP(sides, used, logRatio, { seed, draws, scheme: 'shift' }),
  };
}
