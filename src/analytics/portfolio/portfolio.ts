import type { Static } from 'typebox';
import type { Caller } from '#src/access/job-result.ts';
import type { Freshness, Status, Used } from '#src/analytics/answers/envelope.ts';
import type { RegimeData } from '#src/analytics/answers/schemas.ts';
import { answerField } from '#src/analytics/answers/sections.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { analyzePortfolio } from '#src/analytics/domain/risk/portfolio-analyze.ts';
import type {
  PORTFOLIO_ANALYZE_REQUEST,
  PortfolioAnalysis,
} from '#src/analytics/domain/risk/portfolio-analyze-schema.ts';
import { optimizePortfolio } from '#src/analytics/domain/risk/portfolio-optimize.ts';
import type {
  PORTFOLIO_OPTIMIZE_REQUEST,
  PortfolioOptimum,
} from '#src/analytics/domain/risk/portfolio-optimize-schema.ts';
import { shrunkCorrelation } from '#src/analytics/domain/statistics/correlation.ts';
import { betaTo } from '#src/analytics/domain/statistics/descriptive.ts';
import { dailyReturns } from '#src/analytics/history/daily-returns.ts';
import { oldest } from '#src/analytics/live/feed-freshness.ts';
import { waitForAnswer } from '#src/analytics/sections/find-answer.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/** The answer about a symbol's regime, parsed. */
interface CurrentRegime extends Freshness {
  readonly symbol: string;
  readonly as_of: string;
  readonly synthetic: boolean;
  readonly data: Static<typeof RegimeData>;
}

/**
 * Reads a symbol's regime as its caller sees it: by the own newest chain, else by the feed.
 *
 * @throws as `waitForAnswer`.
 */
async function currentRegime(caller: Caller, symbol: MarketSymbol): Promise<CurrentRegime> {
  return JSON.parse(await waitForAnswer(caller, symbol, answerField('regime', '1'))) as CurrentRegime;
}

/** Result for a portfolio, and the chains it came from. */
export interface PortfolioResult<T> {
  readonly data: T;
  readonly status: Status;
  readonly used: readonly Used[];
  /** Freshness of the oldest of the symbols. */
  readonly fresh: Freshness;
}

/**
 * Computes the dealer gamma of a portfolio from its symbols' current figures.
 *
 * @throws AppError `invalid_request`, and as `waitForAnswer`.
 */
export async function analyzeNow(
  caller: Caller,
  { symbols, weights }: Static<typeof PORTFOLIO_ANALYZE_REQUEST>,
): Promise<PortfolioResult<PortfolioAnalysis>> {
  const states = await Promise.all(symbols.map((symbol) => currentRegime(caller, symbol)));
  const history = await dailyReturns(caller.context, ['SPX', ...symbols]);
  const [index = [], ...series] = history.series;
  const members = states.map(({ symbol, data }, i) => ({
    symbol,
    netGex: data.net_gex,
    gexAbs: data.gex_abs,
    beta: symbol === 'SPX' ? 1 : betaTo(series[i] ?? [], index),
    gir: data.gir,
    regime: data.state,
  }));
  const data = analyzePortfolio(members, weights);
  const isMeasured = members.some(({ symbol, beta }) => symbol !== 'SPX' && beta !== null);
  return { data, status: data.status, used: usedBy(states, isMeasured && history.synthetic), fresh: oldest(states) };
}

/**
 * Weights of least variance from current figures; null with `insufficient_history` where the request has no correlation
 * and the history is too short for one.
 *
 * @throws AppError `invalid_request`, `invalid_chain` where a symbol has no volatility, and as `waitForAnswer`.
 */
export async function optimizeNow(
  caller: Caller,
  request: Static<typeof PORTFOLIO_OPTIMIZE_REQUEST>,
): Promise<PortfolioResult<PortfolioOptimum | null>> {
  const { symbols, lower, upper, expected_returns: expected, correlation: requested } = request;
  for (const [name, list] of Object.entries({ lower, upper, expected_returns: expected }))
    if (list !== undefined && list.length !== symbols.length) throw wrongLength(name, symbols.length, list);
  const states = await Promise.all(symbols.map((symbol) => currentRegime(caller, symbol)));
  const { matrix, synthetic } = requested
    ? { matrix: requested, synthetic: false }
    : await correlationOf(caller.context, symbols);
  const fresh = oldest(states);
  if (matrix === null) return { data: null, status: 'insufficient_history', used: usedBy(states, false), fresh };
  const members = states.map(({ symbol, data }, i) => ({
    symbol,
    sigmaD: sigmaOf(symbol, data.sigma_d_pct),
    regime: data.state,
    gir: data.gir,
    lower: lower?.[i],
    upper: upper?.[i],
    expectedReturn: expected?.[i],
  }));
  const data = optimizePortfolio(members, matrix, {
    targetReturn: request.target_return,
    targetGamma: request.target_gamma,
    multipliers: request.regime_multipliers,
  });
  return { data, status: data.status, used: usedBy(states, synthetic), fresh };
}

/** @param isGenerated whether the returns used are of a generated market, whatever the chains are of */
function usedBy(states: readonly CurrentRegime[], isGenerated: boolean): Used[] {
  return states.map(({ symbol, as_of, synthetic }) => ({ symbol, asOf: as_of, synthetic: synthetic || isGenerated }));
}

/**
 * Computes the correlation of the symbols' daily returns; `synthetic` says whether those are of a generated market.
 * Null where they are too few.
 */
async function correlationOf(context: Context, symbols: readonly string[]) {
  if (symbols.length === 1) return { matrix: [[1]], synthetic: false };
  const { series, synthetic } = await dailyReturns(context, symbols);
  const correlation = shrunkCorrelation(series);
  return { matrix: correlation.status === 'ok' ? correlation.matrix : null, synthetic };
}

function sigmaOf(symbol: string, percent: number | null): number {
  if (percent !== null) return percent / 100;
  throw new AppError(
    'invalid_chain',
    `expected a volatility at the money of ${symbol}, got none: its newest chain has no usable quotes there.`,
    { symbol },
  );
}

function wrongLength(name: string, expected: number, list: readonly number[]): AppError {
  const message = `body.${name}: expected one number a symbol (${expected}), got ${list.length}.`;
  return new AppError('invalid_request', message, {
    errors: [{ field: `body.${name}`, message, value: list.slice(0, 10) }],
  });
}
