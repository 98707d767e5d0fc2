import { blockBootstrap } from '#src/analytics/domain/statistics/block-bootstrap.ts';
import { deflateP } from '#src/analytics/domain/statistics/deflated-p.ts';
import { permutationP } from '#src/analytics/domain/statistics/permutation.ts';
import { wilson } from '#src/analytics/domain/statistics/wilson.ts';
import { backtestRules } from './backtest-rules.ts';
import type { Backtest, RuleName } from './backtest-schema.ts';
import { type HistoryRow, type Interval, intervals } from './history-row.ts';

const LEVEL = 0.95;
const NEEDED = 60;

export interface BacktestOptions {
  /** Seeds resampling: the same text gives the same answer. */
  readonly seed: string;
  readonly rules: readonly RuleName[];
  /** Per trade of one notional; 1 unless set. */
  readonly costBps?: number | undefined;
  /** Per one-day straddle; 5 unless set. */
  readonly straddleCostBps?: number | undefined;
  readonly draws?: number;
}

/**
 * Trades rules over history on a constant notional: at each session's price a rule decides with what was published by
 * then, and holds until the next price. No interest, no compounding, no capacity: it compares rules, it does not promise.
 */
export function backtest(rows: readonly HistoryRow[], options: BacktestOptions): Backtest {
  const { seed, rules, costBps = 1, straddleCostBps = 5, draws = 500 } = options;
  const all = intervals(rows);
  const present = all.filter(({ known }) => known !== null).length;
  const enough = present >= NEEDED;
  const results = enough
    ? rules.map((rule) => trade(all, rule, { seed, draws, cost: costBps / 1e4, straddleCost: straddleCostBps / 1e4 }))
    : [];
  const deflated = deflateP(results.map(({ p }) => p));
  return {
    status: enough ? 'ok' : 'insufficient_history',
    needed: NEEDED,
    present,
    first_session: all[0]?.session ?? null,
    last_session: all.at(-1)?.session ?? null,
    cost_bps: costBps,
    straddle_cost_bps: straddleCostBps,
    tests: results.filter(({ p }) => p !== null).length,
    level: LEVEL,
    rules: results.map((result, i) => ({ ...result, deflated_p: deflated[i]! })),
  };
}

interface TradeOptions {
  readonly seed: string;
  readonly draws: number;
  readonly cost: number;
  readonly straddleCost: number;
}

function trade(all: readonly Interval[], name: RuleName, { seed, draws, cost, straddleCost }: TradeOptions) {
  const { meaning, straddle, decide, payoff } = backtestRules[name];
  const positions = all.map((interval, i) => decide(interval, all[i - 1]));
  const payoffs = all.map(payoff);
  // A straddle is bought anew each day; spot pays for what changes.
  const paid = positions.map((position, i) =>
    straddle ? Math.abs(position) * straddleCost : Math.abs(position - (positions[i - 1] ?? 0)) * cost,
  );
  const net = positions.map((position, i) => position * (payoffs[i] ?? 0) - paid[i]!);
  const { curve, total, drawdown } = accumulate(all, positions, net);
  const active = positions.filter((position) => position !== 0).length;
  const gains = wilson(net.filter((value, i) => positions[i] !== 0 && value > 0).length, active, LEVEL);
  const ratio = blockBootstrap(net, sharpe, { seed: `${seed} ${name}`, draws, level: LEVEL });
  const varies = positions.some((position) => position !== positions[0]);
  const earned = (held: readonly number[], paidOut: readonly (number | null)[]) =>
    held.reduce((sum, position, i) => sum + position * (paidOut[i] ?? 0), 0);
  return {
    rule: name,
    meaning,
    sessions: all.length,
    active,
    trades: paid.filter((value) => value > 0).length,
    total_return: total,
    costs: paid.reduce((sum, value) => sum + value, 0),
    mean_return: all.length === 0 ? null : total / all.length,
    sharpe: ratio.value,
    sharpe_lower: ratio.lower,
    sharpe_upper: ratio.upper,
    max_drawdown: drawdown,
    hits: gains.hits,
    hit_rate: gains.rate,
    hit_lower: gains.lower,
    hit_upper: gains.upper,
    p: varies ? permutationP(positions, payoffs, earned, { seed, draws, scheme: 'shift', tail: 'greater' }) : null,
    curve,
  };
}

function accumulate(all: readonly Interval[], positions: readonly (-1 | 0 | 1)[], net: readonly number[]) {
  let [total, height, drawdown] = [0, 0, 0];
  const curve = all.map(({ session, start }, i) => {
    total += net[i]!;
    height = Math.max(height, total);
    drawdown = Math.max(drawdown, height - total);
    return { session, decided_at: start, position: positions[i]!, net_return: net[i]!, equity: total };
  });
  return { curve, total, drawdown };
}

function sharpe(net: readonly number[]): number | null {
  const mean = net.reduce((sum, value) => sum + value, 0) / net.length;
  const variance = net.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (net.length - 1);
  return variance > 1e-24 ? (mean / Math.sqrt(variance)) * Math.sqrt(252) : null;
}
