import { type Static, Type } from 'typebox';
import { MARKET_SYMBOL, SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { regimeStates } from '#src/analytics/domain/regime/regime.ts';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';

/** The body of a request to analyze a portfolio. */
export const PORTFOLIO_ANALYZE_REQUEST = closed({
  symbols: Type.Array(MARKET_SYMBOL, {
    minItems: 1,
    maxItems: marketSymbols.length,
    uniqueItems: true,
    description: 'Underlyings of the portfolio, each once',
  }),
  weights: Type.Optional(
    Type.Array(Type.Number({ minimum: -1e9, maximum: 1e9 }), {
      description: 'One a symbol, any scale, below zero for short; equal without it',
    }),
  ),
});

const MEMBER = closed(
  {
    symbol: SYMBOL(),
    weight: number('Weight, normalised so that all sum to one'),
    net_gex: number('Net GEX of the symbol’s own book, $ of dealer delta per +1 % of the symbol'),
    weighted_gex: number('Weight times net GEX, $ per +1 % of the symbol'),
    beta: maybe('Change of the symbol for a change of one of SPX; null without a return history'),
    weighted_gex_spx: maybe('Weight times beta² times net GEX, $ of SPX-equivalent delta per +1 % of SPX'),
    gir: maybe('Share of the symbol’s day volume dealers trade on a one-sigma move; null without a volatility'),
    regime: orNull(Type.Enum(regimeStates, { description: 'Regime of the symbol; null without gamma' })),
  },
  { title: 'PortfolioMember' },
);

/** Result of a portfolio analysis. */
export const PORTFOLIO_ANALYSIS = closed(
  {
    net_gex: number('Σ weight·net GEX, $ of dealer delta where every symbol rises by 1 % of its own'),
    gex_abs: number('Σ |weight|·gross GEX, $ per +1 %; |net_gex| never exceeds it'),
    net_gex_spx: maybe('Σ weight·beta²·net GEX, $ of SPX-equivalent delta per +1 % of SPX; null without every beta'),
    effective_gamma: maybe('Σ weight·GIR, share of a day’s volume on a one-sigma move; null without every GIR'),
    status: Type.Enum(['ok', 'missing_beta', 'missing_volatility', 'missing_beta_and_volatility'], {
      description: 'ok, or why a figure is null',
    }),
    unit: Type.Literal('$ of dealer delta gained per +1 % spot', { description: 'Unit of net_gex' }),
    members: Type.Array(MEMBER, { description: 'Each underlying, in request order' }),
  },
  { title: 'PortfolioAnalysis', description: 'Dealer gamma of a portfolio of underlyings' },
);
export type PortfolioAnalysis = Static<typeof PORTFOLIO_ANALYSIS>;
