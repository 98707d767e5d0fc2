import Type, { type TSchema } from 'typebox';
import { SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { exposureUnits } from '#src/analytics/domain/exposures/exposures.ts';
import type { Generation } from '#src/analytics/domain/positions/dealer-positions.ts';
import { GENERATION } from '#src/analytics/domain/positions/estimate-schema.ts';
import { version } from '#src/system/config/version.ts';

/** Raised whenever a figure of the same chain would come out another way. */
export const modelVersion = version;

const conventions = {
  positions:
    'dealers’ signed contracts. 1: long every call, short every put; 2: prior by type, delta and tenor; 3: signed trades; ensemble: mean of 2 and 3',
  gex: '$ of dealer delta gained per +1 % spot; above zero dealers damp moves, below zero they amplify them',
  flow: 'above zero dealers buy',
  time: 'ACT/365 from the chain’s own timestamp to settlement',
  volatility_shock: 'relative: sigma times (1 + shock / 100)',
} as const;

/** Status of a feed at its last request. */
const feedStatuses = ['ok', 'unavailable', 'refused', 'invalid', 'half_chain'] as const;
export type FeedStatus = (typeof feedStatuses)[number];

/** Status of an answer's figures as a whole: `ok`, or what is missing in them or weighs on them. */
export const statuses = [
  'ok',
  'stale',
  'degraded_chain',
  // a figure is missing
  'no_chain',
  'no_constituents',
  'no_data',
  'no_figure',
  'no_flow',
  'no_gamma',
  'no_history',
  'no_moves',
  'no_position',
  'no_positions',
  'no_prices',
  'no_prints',
  'no_proxy_price',
  'no_quotes',
  'no_range',
  'no_realised_volatility',
  'no_session',
  'no_short_volume',
  'no_tapes',
  'no_trade_tape',
  'no_volatility',
  'no_volume',
  'insufficient_history',
  'missing_beta',
  'missing_beta_and_volatility',
  'missing_volatility',
  'too_few_observations',
  'too_few_strikes',
  'undefined_without_volatility',
  // a figure says less than its name
  'arbitrage',
  'inaccurate',
  'infeasible',
  'open_band',
  'poor_fit',
  'small_net_gamma',
  'zero_net_gamma',
  // of an oracle’s answer
  'empty',
  'incomplete',
  'no_causes',
  'not_available',
  'not_understood',
  'outside_domain',
  'too_long',
  'unknown_symbol',
] as const;
export type Status = (typeof statuses)[number];

/** Age of a live feed, as an answer states it. */
export interface Freshness {
  readonly stale: boolean | null;
  readonly age_seconds: number | null;
  readonly feed_status: FeedStatus | null;
}

/** Freshness of an answer that does not come from one live feed alone. */
export const unjudged: Freshness = { stale: null, age_seconds: null, feed_status: null };

/** The status of an answer or of a part of it. */
export const ANSWER_STATUS = (description: string) =>
  Type.Enum([...statuses], { title: 'AnswerStatus', type: 'string', description });

/** Wraps the schema of an answer's `data` in what every analytics answer carries around it. */
export function enveloped<T extends TSchema>(data: T, description: string) {
  return Type.Object(
    {
      status: ANSWER_STATUS(
        'ok, or why figures are missing or doubtful; stale: ok but for their age; degraded_chain: more than a fifth of the rows could not be used (expired ones and duplicates aside), or half of the open interest has no volatility',
      ),
      stale: Type.Union([Type.Boolean(), Type.Null()], {
        description:
          'Whether the newest data of the feed are older than they should be; null where the figures are not of a live feed alone, such as those of a chain you uploaded',
      }),
      age_seconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        description:
          'Age of the feed’s newest data when this was answered, seconds: time since their own timestamp in which the exchange was open; of a synthetic market all time since its last tick. null as with stale',
      }),
      feed_status: Type.Union([Type.Enum([...feedStatuses], { title: 'FeedStatus', type: 'string' }), Type.Null()], {
        description:
          'Status of the feed at its last request. Where it is not ok the figures are those of its last good data: unavailable: no answer, or one of overload or failure; refused: an answer that is not taken, such as a redirect or one too large; invalid: not a chain, such as a body cut short; half_chain: far fewer contracts than before. null as with stale',
      }),
      symbol: Type.Union([SYMBOL(), Type.Null()], { description: 'Underlying; null where there are several' }),
      as_of: Type.Union([Type.String(), Type.Null()], {
        description: 'Time of the figures, ISO 8601; null where there are none',
      }),
      data_as_of: Type.Record(Type.String(), Type.String(), {
        description:
          'Newest data used of each feed, ISO 8601: chain, trade_tape (signed option trades), short_volume (trading day of FINRA’s file), prints (off-exchange trades), history; of several symbols each under SYMBOL.feed',
      }),
      model_version: Type.String({ description: 'Version of the models behind the figures' }),
      generation: GENERATION,
      units: Type.Record(Type.String(), Type.String(), { description: 'Units of the figures' }),
      conventions: Type.Record(Type.String(), Type.String(), { description: 'Signs and conventions' }),
      synthetic: Type.Boolean({ description: 'Whether any chain used is generated, not of a real market' }),
      data,
    },
    { ...titleOf(data), description, additionalProperties: false },
  );
}

/** Returns the name of the answer in generated types: the name of its data, where that has one. */
function titleOf(data: TSchema & { readonly title?: string; readonly anyOf?: readonly { readonly title?: string }[] }) {
  const title = data.title ?? data.anyOf?.[0]?.title;
  return title === undefined ? {} : { title: `${title.replace(/Data$/, '')}Answer` };
}

export interface Used {
  readonly symbol: string;
  readonly asOf: string;
  readonly synthetic: boolean;
  /** Newest data used of each feed by its name, ISO 8601; the chain alone without. */
  readonly feeds?: Readonly<Record<string, string>>;
}

export function envelope<T>(
  used: readonly Used[],
  units: Readonly<Record<string, string>>,
  status: Status,
  data: T,
  generation: Generation = 1,
) {
  const dates = used.map(({ asOf }) => asOf).toSorted();
  return {
    // first, where the age is written without reading the rest: see withFreshness
    status,
    ...unjudged,
    symbol: used.length === 1 ? (used[0]?.symbol ?? null) : null,
    // the oldest: no figure is newer than the oldest chain in it
    as_of: dates[0] ?? null,
    data_as_of: Object.fromEntries(
      used.flatMap(({ symbol, asOf, feeds = { chain: asOf } }) =>
        Object.entries(feeds).map(([feed, at]) => [used.length === 1 ? feed : `${symbol}.${feed}`, at]),
      ),
    ),
    model_version: modelVersion,
    generation,
    units,
    conventions,
    synthetic: used.some(({ synthetic }) => synthetic),
    data,
  };
}

/** Units of every figure of an analytics answer. */
export const analyticsUnits: Readonly<Record<string, string>> = {
  ...exposureUnits,
  spot: 'points',
  level: 'points',
  pnl: '$',
  portfolio_return: 'decimal',
};
