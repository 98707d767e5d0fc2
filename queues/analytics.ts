import Type, { type Static } from 'typebox';
import { GENERATION_SCORES } from '#src/analytics/domain/benchmark/generation-scores-schema.ts';
import { MARKET_SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { CHAIN_ANALYTICS } from '#src/analytics/domain/figures/analytics-schema.ts';
import { MODEL_OPTIONS } from '#src/analytics/domain/figures/model-options-schema.ts';
import { BACKTEST, ruleNames } from '#src/analytics/domain/history/backtest-schema.ts';
import { STATISTICS } from '#src/analytics/domain/history/history-study-schema.ts';
import { GENERATION } from '#src/analytics/domain/positions/estimate-schema.ts';
import { PortfolioStressResult } from '#src/analytics/domain/risk/portfolio-stress-schema.ts';
import { StressScenario } from '#src/analytics/domain/risk/stress-schema.ts';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });
const MINUTE_MS = 60_000;

/** Computes the analytics of one stored chain and keeps them beside it. */
export const fit = defineQueue({
  name: 'analytics.fit',
  title: 'Compute the analytics of a stored option chain',
  payload: Type.Object({ chainId: Id }, strict),
  result: CHAIN_ANALYTICS,
  progress: Type.Object({ stage: Type.Union([Type.Literal('loading'), Type.Literal('computing')]) }, strict),
  // tapes of a whole day may have to be read first
  timeoutMs: 60_000,
});

/**
 * Asks for the chain of a real market once, or reads one from a file of the feed's folder, and has it computed if it is
 * new.
 */
export const take = defineQueue({
  name: 'analytics.take',
  title: 'Take a chain of a real market into the feed',
  payload: Type.Object(
    {
      symbol: Type.String({ maxLength: 10 }),
      /** Address of the chain; the configured one by default. */
      file: Type.Optional(
        Type.Object({ name: Type.String({ maxLength: 150 }), version: Type.String({ maxLength: 80 }) }, strict),
      ),
    },
    strict,
  ),
  result: Type.Object(
    {
      symbol: Type.String(),
      /**
       * `waiting`: it is too early to ask again; `replaced`: the file was written again, and is taken as what it is
       * now.
       */
      outcome: Type.Enum(['taken', 'unchanged', 'older', 'waiting', 'replaced']),
    },
    strict,
  ),
  progress: Type.Object({}, strict),
  // the next request replaces one that fails, and a file that fails is not taken before it changes
  attempts: 1,
  timeoutMs: 60_000,
  // most of them find nothing new
  retention: { ms: 24 * 60 * MINUTE_MS },
});

/** Computes the state of a symbol of the synthetic feed at one instant, and tells its stream. */
export const tick = defineQueue({
  name: 'analytics.tick',
  title: 'Compute the live state of a symbol',
  payload: Type.Object(
    {
      symbol: Type.String({ maxLength: 10 }),
      /** Instant of the market, epoch milliseconds. */
      at: Type.Integer(),
      /** Later ticks have larger ones: time of the request, epoch milliseconds. */
      order: Type.Integer(),
      /** True where every figure is computed; false for those of the stream alone. */
      full: Type.Boolean(),
      /** True where chain and figures are kept, for jobs and for the history; such a tick is full. */
      keep: Type.Boolean(),
    },
    strict,
  ),
  result: Type.Object({ symbol: Type.String(), as_of: Type.String(), told: Type.Boolean() }, strict),
  progress: Type.Object({}, strict),
  // the next tick replaces one that fails
  attempts: 1,
  timeoutMs: 30_000,
  replaceable: true,
  // a few a second, and each is over with the next one: what they found is in the history
  retention: { ms: 10 * MINUTE_MS },
});

/**
 * Reprices the dealers' books of one to six symbols under each scenario; a progress message per scenario that is done.
 */
export const stress = defineQueue({
  name: 'analytics.stress',
  title: 'Stress a portfolio of symbols',
  payload: Type.Object(
    {
      /** Their weights sum to one. */
      books: Type.Array(Type.Object({ chainId: Id, weight: Type.Number() }, strict), { minItems: 1, maxItems: 6 }),
      scenarios: Type.Array(StressScenario, { minItems: 1, maxItems: 200 }),
    },
    strict,
  ),
  result: PortfolioStressResult,
  progress: Type.Object(
    { scenario: Type.Integer(), of: Type.Integer(), net_gex: Type.Number(), hedged_pnl: Type.Number() },
    strict,
  ),
  timeoutMs: 60_000,
});

/**
 * Computes one section of a stored chain with models that a caller has set: what is kept was computed with the
 * defaults.
 */
export const ask = defineQueue({
  name: 'analytics.ask',
  title: 'Compute an answer with models of the caller’s own',
  payload: Type.Object(
    {
      chainId: Id,
      /** As the routes name it. */
      section: Type.String({ maxLength: 40 }),
      generation: GENERATION,
      options: MODEL_OPTIONS,
    },
    strict,
  ),
  /** The answer in its envelope. */
  result: Type.Record(Type.String(), Type.Unknown()),
  progress: Type.Object({}, strict),
  // tapes of a whole day may have to be read first
  timeoutMs: 60_000,
});

/**
 * Backtests rules on the daily history of a symbol, tests what its figures said of the next session, or scores the
 * generations of dealer positions against the known truth of a generated market.
 */
export const study = defineQueue({
  name: 'analytics.study',
  title: 'Study the daily history of a symbol',
  payload: Type.Object(
    {
      kind: Type.Union([Type.Literal('backtest'), Type.Literal('statistics'), Type.Literal('generations')]),
      symbol: Type.String({ maxLength: 10 }),
      /** Inclusive, ISO 8601. */
      from: Type.String({ maxLength: 40 }),
      /** Exclusive, ISO 8601. */
      to: Type.String({ maxLength: 40 }),
      /** The only rule of a backtest. */
      rule: Type.Optional(Type.Enum(ruleNames)),
      /** Seed of the market that is generated for a score of generations. */
      seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    },
    strict,
  ),
  result: Type.Object(
    {
      /** Instant of the last snapshot used; null where there is none. */
      as_of: Type.Union([Type.String(), Type.Null()]),
      synthetic: Type.Boolean(),
      study: Type.Union([BACKTEST, STATISTICS, GENERATION_SCORES]),
    },
    strict,
  ),
  progress: Type.Object({}, strict),
  // a score of generations takes half a minute of CPU on an idle machine
  timeoutMs: 300_000,
});

/** Keeps what the figures of the synthetic market were late in a past session, so that there is a history to study. */
export const backfill = defineQueue({
  name: 'analytics.backfill',
  title: 'Compute a past day of the synthetic market',
  payload: Type.Object(
    {
      symbol: Type.String({ maxLength: 10 }),
      /** Trading day, `YYYY-MM-DD`. */
      date: Type.String({ format: 'date' }),
    },
    strict,
  ),
  result: Type.Object({ symbol: Type.String(), as_of: Type.String() }, strict),
  progress: Type.Object({}, strict),
  timeoutMs: 60_000,
  // no caller waits for it, and a day that is still missing is requested again
  priority: 1_000,
  replaceable: true,
});

/**
 * A shock of a mission: as a scenario of a stress test, or in points and levels of spot, which need the spot of the
 * chain.
 */
const StressWish = Type.Object(
  {
    ...StressScenario.properties,
    spot_points: Type.Optional(
      Type.Number({
        minimum: -1_000_000,
        maximum: 1_000_000,
        description: 'Change of spot, points; in place of spot_shock_pct',
      }),
    ),
    spot_level: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 10_000_000,
        description: 'Spot after the shock, points; in place of spot_shock_pct',
      }),
    ),
    spot_side: Type.Optional(
      Type.Enum(['down', 'up'], { type: 'string', description: 'Where spot_level must lie from the spot of then' }),
    ),
  },
  {
    ...strict,
    minProperties: 1,
    description: 'One shock; points and levels are turned into percent by the chain that is stressed',
  },
);
export type StressWish = Static<typeof StressWish>;

/** Arguments of the questions that `answer` takes. */
export const answerTools = {
  symbol: MARKET_SYMBOL,
  symbols: Type.Array(MARKET_SYMBOL, { minItems: 1, maxItems: 6, uniqueItems: true, description: 'Underlyings' }),
  scenarios: Type.Array(StressWish, { minItems: 1, maxItems: 200, description: 'Shocks, one scenario each' }),
  shocks: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'The same in words, such as "drops 3% and vol rises 10"; a plan has them as numbers, in `scenarios`',
  }),
  question: Type.String({ minLength: 1, maxLength: 2_000, description: 'In English, about dealer positioning' }),
} as const;

/** Answers what a mission asks of the analyses, as their routes would answer its owner. */
export const answer = defineQueue({
  name: 'analytics.answer',
  title: 'Answer a step of a mission from the analyses',
  payload: Type.Object(
    {
      tool: Type.Enum(['snapshot', 'surface', 'stress', 'oracle'], { type: 'string' }),
      arguments: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
    },
    strict,
  ),
  result: Type.Object({ answer: Type.Unknown() }, strict),
  progress: Type.Object({}, strict),
  timeoutMs: 60_000,
});
