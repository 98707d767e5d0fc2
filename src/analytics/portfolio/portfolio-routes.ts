import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { analyticsUnits, envelope, enveloped } from '#src/analytics/answers/envelope.ts';
import { distinctSymbols, SymbolList } from '#src/analytics/answers/symbol-params.ts';
import { PORTFOLIO_ANALYSIS, PORTFOLIO_ANALYZE_REQUEST } from '#src/analytics/domain/risk/portfolio-analyze-schema.ts';
import { PORTFOLIO_OPTIMIZE_REQUEST, PORTFOLIO_OPTIMUM } from '#src/analytics/domain/risk/portfolio-optimize-schema.ts';
import { closed, orNull } from '#src/analytics/domain/schema-parts.ts';
import { withAge } from '#src/analytics/live/feed-freshness.ts';
import { callerOf } from '#src/http/respond/caller-of.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Context } from '#src/system/context.ts';
import { analyzeNow, optimizeNow, type PortfolioResult } from './portfolio.ts';

const tags = ['analytics'];
const AnalyzeRequest = closed({
  ...PORTFOLIO_ANALYZE_REQUEST.properties,
  symbols: SymbolList('Underlyings of the portfolio, each once'),
});
const OptimizeRequest = closed({
  ...PORTFOLIO_OPTIMIZE_REQUEST.properties,
  symbols: SymbolList('Underlyings to weigh, each once'),
});
const AnalyzeAnswer = enveloped(PORTFOLIO_ANALYSIS, 'Dealer gamma of a portfolio');
const OptimizeAnswer = enveloped(
  orNull(PORTFOLIO_OPTIMUM),
  'Weights of least variance; null while the history is too short for a correlation and the request has none',
);

/** Portfolios of symbols now. They are small enough to be computed within the request. */
export const portfolioRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  app.post(
    '/v1/portfolio/analyze',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Dealer gamma of a portfolio of symbols',
        operationId: 'analyzePortfolio',
        body: AnalyzeRequest,
        response: { 200: AnalyzeAnswer },
      },
    },
    async (request, reply) => answer(await analyzeNow(callerOf(edge, request, reply), named(request.body))),
  );

  app.post(
    '/v1/portfolio/optimize',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Weights of least variance under the regimes’ volatilities',
        operationId: 'optimizePortfolio',
        body: OptimizeRequest,
        response: { 200: OptimizeAnswer },
      },
    },
    async (request, reply) => answer(await optimizeNow(callerOf(edge, request, reply), named(request.body))),
  );
};

/** A body with its symbols as they are known here. @throws AppError `unknown_symbol`, `invalid_request`. */
function named<T extends { readonly symbols: readonly string[] }>(body: T) {
  return { ...body, symbols: distinctSymbols(body.symbols) };
}

function answer<T>({ data, status, used, fresh }: PortfolioResult<T>) {
  return withAge(envelope(used, analyticsUnits, status, data), fresh);
}
