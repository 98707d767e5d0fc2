import { type Static, Type } from 'typebox';
import { SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { regimeStates } from '#src/analytics/domain/regime/regime.ts';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';

export const signalKinds = [
  'regime_change',
  'flip_proximity',
  'flip_breach',
  'wall_test',
  'wall_break',
  'pin',
  'charm_drift',
  'vanna_squeeze',
  'gtbr_breach',
  'shadow_instability',
  'dark_confirmation',
  'anomaly',
] as const;
export type SignalKind = (typeof signalKinds)[number];

/** Figures of a symbol at one instant; null where a figure is unknown, which neither makes nor ends a signal. */
export const OBSERVATION = closed(
  {
    symbol: SYMBOL(),
    as_of: number('Instant of the figures, epoch milliseconds'),
    spot: number('Underlying price, points'),
    session_open: maybe('Price at the opening of the session, points'),
    minutes_to_close: maybe('Minutes until the session closes'),
    next_close: maybe('Close of the next session, epoch milliseconds'),
    net_gex: maybe('Net GEX, $ per +1 % spot'),
    gex_p_positive: maybe('Probability, by the ensemble of dealer positions, that net GEX is above zero, 0 to 1'),
    flip: maybe('Primary gamma flip, points'),
    call_wall: maybe(
      'Strike at or above spot where dealers are most long calls, by gamma, points; null where they are long none',
    ),
    put_wall: maybe(
      'Strike at or below spot where dealers are most short puts, by gamma, points; null where they are short none',
    ),
    pin_strike: maybe('Strike with the most gross gamma expiring today, points'),
    regime: orNull(Type.Enum(regimeStates, { description: 'Regime of the book' })),
    dsi: maybe('Dealer stability index, 0 to 100'),
    vcm: maybe('Vanna-charm meta-signal, -1 to 1; above zero dealers buy'),
    vcm_agreement: maybe('1 where vanna and charm push the same way, -1 where they conflict, 0 where one is nil'),
    gtbr: maybe('Gamma-theta burn ratio'),
    gtbr_breach: orNull(Type.Boolean({ description: 'Spot beyond the break-even range with net gamma below zero' })),
    instability_ratio: maybe('Shadow gamma’s instability ratio, 0 to 1'),
    gci_confirmed: orNull(Type.Boolean({ description: 'Off-exchange volume confirms a gamma level' })),
    confirmed_level: maybe('That level, points'),
    atm_vol: maybe('Annual volatility at the money, decimal'),
    median_spread: maybe('Median relative spread of the quotes used, decimal'),
    charm_flow: maybe('Expected dealers’ flow until the close from time alone, $; above zero they buy'),
    adv_usd: maybe('Dollars traded per day in the hedging instrument'),
  },
  { title: 'SignalObservation' },
);
export type Observation = Static<typeof OBSERVATION>;

const EVIDENCE = closed(
  {
    metric: Type.String({ description: 'Figure of the observation' }),
    value: number('Value of the figure'),
    threshold: maybe('Threshold that it was compared with; null for context'),
    unit: Type.String({ description: 'Unit of both' }),
  },
  { title: 'SignalEvidence' },
);
export type Evidence = Static<typeof EVIDENCE>;

/** One signal; the same observations always make the same ones, with the same ids. */
export const SIGNAL = closed(
  {
    id: Type.String({ description: 'Symbol, kind, detail and instant: the same signal has the same id' }),
    symbol: SYMBOL(),
    kind: Type.Enum(signalKinds, { description: 'Kind of signal' }),
    direction: Type.Enum(['up', 'down', 'expand', 'contract', 'none'], {
      description: 'Where spot is expected to go, or whether moves grow or shrink',
    }),
    strength: Type.Number({ minimum: 0, maximum: 1, description: '0 at the threshold, 1 where the rule is saturated' }),
    confidence: maybe(
      'Probability, by the ensemble of dealer positions, that GEX has the sign the signal goes by, 0 to 1; under 0.5 the ensemble says otherwise. null where the signal does not rest on it or there is no ensemble',
    ),
    horizon: Type.Enum(['30m', 'close', '1d'], {
      description: 'Horizon of the signal; 1d is the next session’s close',
    }),
    as_of: Type.String({ description: 'Instant of the observation, ISO 8601' }),
    expires_at: Type.String({ description: 'End of the horizon, ISO 8601' }),
    spot: number('Spot at as_of, points'),
    level: maybe('Level it is about, points; null where there is none'),
    expected_move_pct: maybe('One standard deviation of spot over the horizon, percent; null without a volatility'),
    evidence: Type.Array(EVIDENCE, { description: 'The figures that made it' }),
    invalidation: Type.String({ description: 'What would prove it wrong before it expires' }),
  },
  { title: 'MarketSignal' },
);
export type Signal = Static<typeof SIGNAL>;
export type Direction = Signal['direction'];

/** The signals of a symbol as the API sends them. */
export const SIGNALS = closed(
  {
    status: Type.Enum(['ok'], { description: 'Whether there is a history to make signals of' }),
    current: Type.Array(SIGNAL, { description: 'In force: not expired, and their condition has not ended' }),
    recent: Type.Array(SIGNAL, { description: 'The latest hundred, in force or not, newest first' }),
  },
  { title: 'MarketSignals', description: 'Signals of a symbol' },
);

const CROSSING = closed(
  {
    level: maybe('Level watched, points'),
    side: Type.Enum([-1, 0, 1], { description: 'Side of it on which spot is established; 0 before the first one' }),
    ticks: Type.Integer({ description: 'Observations in a row on the other side' }),
  },
  { title: 'SignalCrossing' },
);
export type Crossing = Static<typeof CROSSING>;

const SERIES = closed(
  {
    last: maybe('Last value'),
    window: Type.Array(Type.Number(), { description: 'Latest values or changes, oldest first' }),
    up: number('CUSUM of rises'),
    down: number('CUSUM of falls'),
  },
  { title: 'SignalSeries' },
);
export type Series = Static<typeof SERIES>;

/** State of a symbol's signals between observations. */
export const SIGNAL_STATE = closed({
  symbol: SYMBOL(),
  as_of: maybe('Instant of the latest observation taken, epoch milliseconds'),
  regime: orNull(Type.Enum(regimeStates, { description: 'Regime last established' })),
  next_regime: orNull(
    closed({
      state: Type.Enum(regimeStates, { description: 'Regime that may become established' }),
      ticks: Type.Integer({ description: 'Observations in a row' }),
    }),
  ),
  flip: CROSSING,
  call_wall: CROSSING,
  put_wall: CROSSING,
  active: Type.Record(Type.String(), Type.Number(), {
    description: 'Signals in force, by kind and detail, and when each expires, epoch milliseconds',
  }),
  series: closed({ net_gex: SERIES, atm_vol: SERIES, median_spread: SERIES }),
});
export type SignalState = Static<typeof SIGNAL_STATE>;

/** Signals of a symbol that are stored between ticks. */
export const STORED_SIGNALS = closed({
  order: number('Order of the tick it is of; a tick with a lower one is older'),
  state: SIGNAL_STATE,
  current: Type.Array(SIGNAL),
  recent: Type.Array(SIGNAL),
});
export type StoredSignals = Static<typeof STORED_SIGNALS>;
