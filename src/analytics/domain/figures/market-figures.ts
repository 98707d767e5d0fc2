import type { Book } from '#src/analytics/domain/book/book.ts';
import { type PricedBook, priceBook } from '#src/analytics/domain/book/price-book.ts';
import { daysAhead, oneDay, SESSION_MS, type SessionHours } from '#src/analytics/domain/calendar/horizons.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { isMarketSymbol, type MarketRow, markets } from '#src/analytics/domain/chain/symbols.ts';
import { type DarkTapes, darkPool } from '#src/analytics/domain/darkpool/dark-pool.ts';
import { exposureEstimates } from '#src/analytics/domain/exposures/exposure-estimates.ts';
import { charmTable, vannaTable } from '#src/analytics/domain/exposures/exposure-table.ts';
import { exposureCoefficients, exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { type SmileDynamics, volatilitySlopes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { charm } from '#src/analytics/domain/hedging/charm.ts';
import { charmSchedule } from '#src/analytics/domain/hedging/charm-schedule.ts';
import { flowForecast } from '#src/analytics/domain/hedging/flow-forecast.ts';
import { hedgingBands } from '#src/analytics/domain/hedging/hedging-bands.ts';
import { vannaCharmSignal } from '#src/analytics/domain/hedging/vcm.ts';
import { bucketFlips } from '#src/analytics/domain/levels/bucket-flips.ts';
import { bootstrapFlips, flipInterval } from '#src/analytics/domain/levels/flip-interval.ts';
import type { LevelsInterval } from '#src/analytics/domain/levels/flip-interval-schema.ts';
import type { GammaFlip } from '#src/analytics/domain/levels/flips-schema.ts';
import { allLevels } from '#src/analytics/domain/levels/levels.ts';
import {
  type ByGeneration,
  byGeneration,
  type DealerPositions,
  estimate,
} from '#src/analytics/domain/positions/dealer-positions.ts';
import { type FlowState, lastTradeIn } from '#src/analytics/domain/positions/flow-state.ts';
import { positioning } from '#src/analytics/domain/positions/positioning.ts';
import { ensemblePositions } from '#src/analytics/domain/positions/positions-ensemble.ts';
import { bookSymbols, flowFrame, flowPositions } from '#src/analytics/domain/positions/positions-flow.ts';
import { priorPositions } from '#src/analytics/domain/positions/positions-prior.ts';
import { staticPositions } from '#src/analytics/domain/positions/positions-static.ts';
import { dealerStability } from '#src/analytics/domain/regime/dsi.ts';
import { gammaThetaBurn } from '#src/analytics/domain/regime/gtbr.ts';
import type { PreviousRegimes } from '#src/analytics/domain/regime/regime.ts';
import { shadowCoefficients, shadowGamma } from '#src/analytics/domain/regime/shadow-gamma.ts';
import {
  fixedStickiness,
  type StickinessSample,
  skewStickiness,
} from '#src/analytics/domain/regime/skew-stickiness.ts';
import type { SkewStickiness } from '#src/analytics/domain/regime/skew-stickiness-schema.ts';
import { surfaceInputs } from '#src/analytics/domain/surface/surface-inputs.ts';
import {
  expirySkew,
  fitSurface,
  type SurfaceFit,
  skewAtTenor,
  THIRTY_DAYS,
} from '#src/analytics/domain/surface/vol-surface.ts';
import type { ChainAnalytics } from './analytics-schema.ts';
import { analyzeBook } from './analyze-chain.ts';
import { bandOptions, flipDynamics, hedgeMoves } from './model-options.ts';
import type { ModelOptions } from './model-options-schema.ts';
import type { Remembered } from './snapshot-figures.ts';

/** Facts about a symbol at an instant, beside its chain. */
export interface MarketFacts {
  readonly chain: Chain;
  /** Dollars traded per day in what hedgers trade. */
  readonly advUsd: number;
  /** Regimes of the instant before, for hysteresis: each generation leaves its own state, not another's. */
  readonly previousRegimes?: PreviousRegimes;
  /** Today's session; null where there is none. */
  readonly session: SessionHours | null;
  /** Annual, decimal; null if unknown. */
  readonly realisedVolatility: number | null;
  /** Spot at the opening; null if unknown. */
  readonly open: number | null;
  /** State of the flow that a tape of trades shows; null without one. */
  readonly flow: FlowState | null;
  /** Off-exchange trading in the symbol's fund; nothing is known of it without. */
  readonly dark?: DarkTapes;
  /** Spot since the opening of the session, oldest first, without that of the chain; none where they are not known. */
  readonly spots?: readonly number[];
  /** Moves of volatility and spot from session to session before; the ratio of the two is the prior without. */
  readonly moves?: readonly StickinessSample[];
  /** Stabilising shares of the sessions before, oldest first; none of a generation are held against another's. */
  readonly rawShares?: Partial<ByGeneration<readonly number[]>>;
  /** Options of the models that the caller has set; defaults without. */
  readonly options?: ModelOptions;
}

/** Everything that follows from a symbol's chain and the positions of one generation. */
export type GenerationFigures = ReturnType<typeof figuresUnder>;

export interface MarketFigures {
  readonly surface: SurfaceFit;
  /** Skew of a month, decimal volatility per unit of log-moneyness; null where no smile determines it. */
  readonly skew30d: number | null;
  /** Time of the last trade behind the positions of generations 2 and 3, ISO 8601; null without a tape. */
  readonly tapeAsOf: string | null;
  /** Null where a generation has nothing to go by. */
  readonly generations: ByGeneration<GenerationFigures | null>;
}

/**
 * Every figure of a symbol at an instant, under each generation of dealer positions.
 *
 * @throws AppError `invalid_chain` if no contract has a volatility.
 */
export function marketFigures(facts: MarketFacts): MarketFigures {
  const { chain, options = {} } = facts;
  const priced = priceBook(chain);
  const { book } = priced;
  const surface = fitSurface(surfaceInputs(chain, priced));
  const lean = (e: number) => (surface.surface && expirySkew(surface.surface, book.expiries[e]!)) ?? 0;
  const stickiness = stickinessFor(options, facts.moves ?? []);
  const slopes = volatilitySlopes(book, { regime: options.vol_regime ?? 'ssr', ssr: stickiness.ssr, skewAt: lean });
  const coefficients = exposureCoefficients(book);
  const delta = coefficients.dex.map((dollars) => dollars / (book.multiplier * book.spot));
  const kind = isMarketSymbol(chain.symbol) ? markets[chain.symbol].kind : 'index';
  const shared = { facts, priced, stickiness, slopes, coefficients, skewAt: lean };
  const { first, second, third, mean } = dealerPositions(book, {
    kind,
    delta,
    gammaPerContract: coefficients.gex,
    flow: facts.flow,
  });
  return {
    surface,
    skew30d: surface.surface && skewAtTenor(surface.surface, THIRTY_DAYS),
    tapeAsOf: facts.flow && lastTradeIn(facts.flow),
    generations: {
      '1': figuresUnder(first, shared),
      '2': figuresUnder(second, shared),
      '3': third && figuresUnder(third, shared),
      ensemble: mean && figuresUnder(mean, shared),
    },
  };
}

/** Selects the figures that the history stores beside the analytics and later sessions are compared with. */
export function rememberedOf({ generations, skew30d }: MarketFigures): Remembered {
  return { rawShares: byGeneration((name) => generations[name]?.dsi.raw_share ?? null), skew30d };
}

const unknownDark: DarkTapes = { days: [], prints: [], proxyPrice: null };

export interface PositionFacts {
  readonly kind: MarketRow['kind'];
  /** Delta of one contract per row, −1 to 1. */
  readonly delta: Float64Array;
  /** $ of delta per +1 % spot of one contract held long, per row. */
  readonly gammaPerContract: Float64Array;
  /** State of the flow that a tape of trades shows; null without one. */
  readonly flow: FlowState | null;
}

/** The positions of every generation; those of signed trades are null without a tape. */
export function dealerPositions(book: Book, { kind, delta, gammaPerContract, flow }: PositionFacts) {
  const symbols = bookSymbols(book);
  const frame = flow && flowFrame(book, flow, symbols);
  const second = priorPositions(book, { kind, delta, ...(frame && { volume: frame.volume }) });
  const third = flow && flowPositions(book, flow, { symbols, bucket: second.bucket });
  const members = third ? [second, third] : [second];
  const mean = ensemblePositions(members, { gammaPerContract, ignorance: frame?.ignorance });
  return { first: staticPositions(book), second, third, mean };
}

interface Shared {
  readonly facts: MarketFacts;
  readonly priced: PricedBook;
  readonly stickiness: SkewStickiness;
  readonly slopes: Float64Array;
  readonly coefficients: ReturnType<typeof exposureCoefficients>;
  readonly skewAt: SmileDynamics['skewAt'];
}

interface IntervalFacts {
  readonly primary: GammaFlip | null;
  /** Under which the flip was found. */
  readonly dynamics: SmileDynamics | null;
  readonly facts: MarketFacts;
}

/** Re-roots the flip of a generation at ±1 sd of its own positions, under the law of the smile that the flip has. */
function levelsInterval(
  { book, coverage }: PricedBook,
  positions: DealerPositions,
  { primary, dynamics, facts }: IntervalFacts,
): LevelsInterval {
  const { chain, options = {} } = facts;
  const draws = options.flip_draws;
  const slopes = dynamics === null ? undefined : volatilitySlopes(book, dynamics);
  return {
    generation: positions.generation,
    flip: primary?.level ?? null,
    ...(draws === undefined
      ? flipInterval({ ...book, position: positions.mean }, positions, { primary, coverage, slopes })
      : bootstrapFlips(book, positions, { primary, coverage, draws, slopes, seed: `${chain.symbol} ${chain.asOf}` })),
  };
}

function figuresUnder(positions: DealerPositions, { facts, priced, stickiness, slopes, coefficients, skewAt }: Shared) {
  const { chain, advUsd, session, realisedVolatility, open, dark, options = {} } = facts;
  const { rawShares = {}, previousRegimes = {} } = facts;
  const name = `${positions.generation}` as const;
  const book: Book = { ...priced.book, position: positions.mean };
  const estimates = exposureEstimates(book, positions, coefficients);
  const analytics: ChainAnalytics = analyzeBook(
    chain,
    { ...priced, book },
    {
      advUsd,
      previousRegime: previousRegimes[name],
      gexSd: estimates.gex.sd,
      generation: positions.generation,
    },
  );
  const asOf = Date.parse(chain.asOf);
  const atmVolatility = analytics.levels.atm_volatility;
  const shadow = estimate(positions, shadowCoefficients(book, slopes, coefficients));
  const shadowGexSd = shadow.sd;
  const dynamics = flipDynamics(options, skewAt);
  const bucket_flips = bucketFlips({
    book,
    asOf,
    coverage: priced.coverage,
    ...(dynamics ? { dynamics } : { all: analytics.flips }),
  });
  const { primary } = bucket_flips.all.flips;
  const flip = primary?.level ?? null;
  const levels = allLevels({ book, gexByContract: exposures(book).gexByContract, flip, asOf });
  const { call_wall, put_wall, abs_gamma, pin_strike } = levels;
  return {
    analytics,
    estimates,
    bucket_flips,
    vex: vannaTable(book, positions, coefficients),
    cex: charmTable(book, positions, coefficients),
    levels,
    flip_interval: levelsInterval(priced, positions, { primary, dynamics, facts }),
    positioning: positioning(book, positions),
    dsi: dealerStability({
      book,
      stickiness,
      slopes,
      atmVolatility,
      advUsd,
      shadowGexSd,
      history: rawShares[name] ?? [],
    }),
    vcm: vannaCharmSignal({
      book,
      advUsd,
      horizon: options.horizon_hours === undefined ? oneDay : daysAhead(options.horizon_hours / 24),
      atmVolatility,
      realisedVolatility,
      expectedVolPoints: options.expected_vol_points,
    }),
    gtbr: gammaThetaBurn({ book, realisedVolatility, open, ...sessionMoves(facts, book.spot) }),
    hedging_bands: hedgingBands({ book, atmVolatility, asOf, session, ...bandOptions(options) }),
    shadow_gamma: shadowGamma({ book, stickiness, slopes, atmVolatility }),
    charm: charm({ book, asOf, session }),
    charm_schedule: charmSchedule({ book, asOf, session, advUsd }),
    darkpool: darkPool({
      symbol: chain.symbol,
      asOf,
      book,
      gammaPerContract: coefficients.gex,
      levels: { call_wall, put_wall, abs_gamma, flip, pin_strike },
      ...(dark ?? unknownDark),
      seed: `${chain.symbol} ${chain.asOf.slice(0, 10)}`,
    }),
    flow_forecast: flowForecast({ book, slopes, atmVolatility, advUsd, asOf, session, scenarios: hedgeMoves(options) }),
  };
}

/** The ratio that the caller has set, directly or by a regime that has one, else that of the market. */
function stickinessFor({ vol_regime, ssr }: ModelOptions, moves: readonly StickinessSample[]): SkewStickiness {
  if (vol_regime === 'sticky_strike') return fixedStickiness(1);
  if (vol_regime === 'sticky_moneyness') return fixedStickiness(0);
  return ssr === undefined ? skewStickiness(moves) : fixedStickiness(ssr);
}

/**
 * Computes the move of spot since the opening, and the share of a session that has passed; nothing before it begins.
 */
function sessionMoves({ chain, session, spots = [] }: MarketFacts, spot: number) {
  if (session === null) return {};
  const path = [...spots, spot];
  const returns = spots.map((before, i) => Math.log(path[i + 1]! / before));
  return { returns, elapsed: (Math.min(Date.parse(chain.asOf), session.close) - session.open) / SESSION_MS };
}
