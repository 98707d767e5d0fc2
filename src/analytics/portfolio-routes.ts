import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { principalOf } from '#src/http/guard.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { type CurrentRegime, currentRegime } from './current-regime.ts';
import { dailyReturns } from './daily-returns.ts';
import { betaTo } from './domain/beta.ts';
import { shrunkCorrelation } from './domain/correlation.ts';
import { analyzePortfolio } from './domain/portfolio-analyze.ts';
import { PORTFOLIO_ANALYSIS, PORTFOLIO_ANALYZE_REQUEST } from './domain/portfolio-analyze-schema.ts';
import { optimizePortfolio } from './domain/portfolio-optimize.ts';
import { PORTFOLIO_OPTIMIZE_REQUEST, PORTFOLIO_OPTIMUM } from './domain/portfolio-optimize-schema.ts';
import { orNull } from './domain/schema-parts.ts';
import { envelope, enveloped } from './envelope.ts';
import { analyticsUnits } from './units.ts';

const tags = ['analytics'];
const AnalyzeAnswer = enveloped(PORTFOLIO_ANALYSIS, 'Dealer gamma of a portfolio');
const OptimizeAnswer = enveloped(
  orNull(PORTFOLIO_OPTIMUM),
  'Weights of least variance; null while the history is too short for a correlation and none was given',
);

/** Portfolios of symbols as they stand now. Small enough to be computed where they are asked for. */
export const portfolioRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.post(
    '/v1/portfolio/analyze',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Dealer gamma of a portfolio of symbols',
        operationId: 'analyzePortfolio',
        body: PORTFOLIO_ANALYZE_REQUEST,
        response: { 200: AnalyzeAnswer },
      },
    },
    async (request) => {
      const { symbols, weights } = request.body;
      const { owner } = principalOf(request);
      const states = await Promise.all(symbols.map((symbol) => currentRegime(context, symbol, owner)));
      const history = await dailyReturns(context, ['SPX', ...symbols]);
      const [index = [], ...series] = history.series;
      const members = states.map(({ symbol, data }, i) => ({
        symbol,
        netGex: data.net_gex,
        gexAbs: data.gex_abs,
        beta: symbol === 'SPX' ? 1 : betaTo(series[i] ?? [], index),
        gir: data.gir,
        regime: data.state,
      }));
      const analysis = analyzePortfolio(members, weights);
      const isMeasured = members.some(({ symbol, beta }) => symbol !== 'SPX' && beta !== null);
      const answer = envelope(usedBy(states), analyticsUnits, analysis.status, analysis);
      return { ...answer, synthetic: answer.synthetic || (isMeasured && history.synthetic) };
    },
  );

  app.post(
    '/v1/portfolio/optimize',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Weights of least variance under the regimes’ volatilities',
        operationId: 'optimizePortfolio',
        body: PORTFOLIO_OPTIMIZE_REQUEST,
        response: { 200: OptimizeAnswer },
      },
    },
    async (request) => {
      const { symbols, lower, upper, expected_returns: expected, correlation: given } = request.body;
      for (const [name, list] of Object.entries({ lower, upper, expected_returns: expected }))
        if (list !== undefined && list.length !== symbols.length) throw wrongLength(name, symbols.length, list);
      const { owner } = principalOf(request);
      const states = await Promise.all(symbols.map((symbol) => currentRegime(context, symbol, owner)));
      const used = usedBy(states);
      const { matrix, synthetic } = given ? { matrix: given, synthetic: false } : await correlationOf(context, symbols);
      if (matrix === null) return envelope(used, analyticsUnits, 'insufficient_history', null);
      const members = states.map(({ symbol, data }, i) => ({
        symbol,
        sigmaD: sigmaOf(symbol, data.sigma_d_pct),
        regime: data.state,
        gir: data.gir,
        lower: lower?.[i],
        upper: upper?.[i],
        expectedReturn: expected?.[i],
      }));
      const optimum = optimizePortfolio(members, matrix, {
        targetReturn: request.body.target_return,
        targetGamma: request.body.target_gamma,
        multipliers: request.body.regime_multipliers,
      });
      const answer = envelope(used, analyticsUnits, optimum.status, optimum);
      return { ...answer, synthetic: answer.synthetic || synthetic };
    },
  );
};

function usedBy(states: readonly CurrentRegime[]) {
  return states.map(({ symbol, as_of, synthetic }) => ({ symbol, asOf: as_of, synthetic }));
}

/** Of the symbols' daily returns, and whether those are of a generated market; null where they are too few. */
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
