import { regimeStates } from '#src/analytics/domain/regime/regime.ts';
import { AppError } from '#src/lib/errors.ts';
import { type CrossingStep, crossMoving, crossWall } from './crossing.ts';
import { type Reading, type SignalRule, signalRules } from './signal-rules.ts';
import type { Crossing, Observation, Series, Signal, SignalKind, SignalState } from './signals-schema.ts';
import { type Alarm, watchSeries } from './watch-series.ts';

const MINUTE = 60_000;
const SESSION = 390;

export interface SignalStep {
  readonly state: SignalState;
  readonly signals: readonly Signal[];
}

/** The machine before the first observation. */
export function initialSignalState(symbol: string): SignalState {
  const crossing: Crossing = { level: null, side: 0, ticks: 0 };
  const series: Series = { last: null, window: [], up: 0, down: 0 };
  return {
    symbol,
    as_of: null,
    regime: null,
    next_regime: null,
    flip: crossing,
    call_wall: crossing,
    put_wall: crossing,
    active: {},
    series: { net_gex: series, atm_vol: series, median_spread: series },
  };
}

/** A signal as a rule makes it, before it has a time and an id. */
interface Draft extends Omit<Reading, 'verdict'> {
  readonly kind: SignalKind;
  readonly detail: string;
  readonly horizon: Signal['horizon'];
  readonly onGamma: boolean;
}

/**
 * The signals one observation makes, and the state after it (analytics.md 2.12). Pure: the same state and observation
 * give the same answer, so a step may be repeated after a crash. An observation that is not later than the last one, or
 * without a usable spot, changes nothing. A signal in force is not made again before its condition ended or it expired.
 *
 * @throws AppError `invalid_request` for an observation of another symbol
 */
export function signalStep(state: SignalState, input: Observation): SignalStep {
  if (input.symbol !== state.symbol) {
    throw new AppError('invalid_request', `expected an observation of ${state.symbol}, got one of ${input.symbol}`);
  }
  const o = withoutNaN(input);
  if (!Number.isFinite(o.as_of) || !(o.spot > 0) || (state.as_of !== null && o.as_of <= state.as_of)) {
    return { state, signals: [] };
  }
  const active = Object.fromEntries(Object.entries(state.active).filter(([, expires]) => expires > o.as_of));
  const regime = settleRegime(state, o);
  const flip = crossMoving(state.flip, o.flip, o.spot);
  const callWall = crossWall(state.call_wall, o.call_wall, o.spot, 1);
  const putWall = crossWall(state.put_wall, o.put_wall, o.spot, -1);
  const net = watchSeries(state.series.net_gex, o.net_gex, 'change');
  const vol = watchSeries(state.series.atm_vol, o.atm_vol, 'change');
  const spread = watchSeries(state.series.median_spread, o.median_spread, 'value');
  const drafts = [
    ...regime.drafts,
    ...breach(flip, 'flip_breach', 'flip'),
    ...breach(callWall, 'wall_break', 'call_wall'),
    ...breach(putWall, 'wall_break', 'put_wall'),
    ...signalRules.flatMap((rule) => apply(rule, o, active)),
    ...anomaly('net_gex', net.alarm, active),
    ...anomaly('atm_vol', vol.alarm, active),
    ...anomaly('median_spread', spread.alarm, active),
  ];
  const signals = drafts.map((draft) => finish(draft, o));
  for (const [i, { kind, detail, direction }] of drafts.entries()) {
    const scope = kind === 'regime_change' ? `${kind}:` : `${kind}:${detail}:`;
    for (const key of Object.keys(active)) if (key.startsWith(scope)) delete active[key];
    active[`${kind}:${detail}:${direction}`] = Date.parse(signals[i]!.expires_at);
  }
  return {
    state: {
      symbol: state.symbol,
      as_of: o.as_of,
      regime: regime.state,
      next_regime: regime.next,
      flip: flip.crossing,
      call_wall: callWall.crossing,
      put_wall: putWall.crossing,
      active,
      series: { net_gex: net.series, atm_vol: vol.series, median_spread: spread.series },
    },
    signals,
  };
}

/** A figure that is not a finite number is an unknown one. */
function withoutNaN(o: Observation): Observation {
  const entries = Object.entries(o).map(([key, value]) => {
    const broken = typeof value === 'number' && !Number.isFinite(value) && key !== 'as_of' && key !== 'spot';
    return [key, broken ? null : value];
  });
  return Object.fromEntries(entries) as Observation;
}

/** A regime is established by two observations in a row, so that one that flickers at a threshold does not alarm. */
function settleRegime(state: SignalState, { regime }: Observation) {
  const keep = { state: state.regime, next: null, drafts: [] as Draft[] };
  if (regime === null) return { ...keep, next: state.next_regime };
  if (state.regime === null) return { ...keep, state: regime };
  if (regime === state.regime) return keep;
  const ticks = state.next_regime?.state === regime ? state.next_regime.ticks + 1 : 1;
  if (ticks < 2) return { ...keep, next: { state: regime, ticks } };
  // The states go from damping to amplifying.
  const steps = regimeStates.indexOf(regime) - regimeStates.indexOf(state.regime);
  const draft: Draft = {
    kind: 'regime_change',
    detail: `${state.regime}_to_${regime}`,
    horizon: '1d',
    onGamma: true,
    direction: steps > 0 ? 'expand' : 'contract',
    strength: Math.abs(steps) / (regimeStates.length - 1),
    level: null,
    evidence: [{ metric: 'regime_steps', value: steps, threshold: null, unit: 'states towards amplifying' }],
    invalidation: `the regime is ${state.regime} again for two observations`,
  };
  return { state: regime, next: null, drafts: [draft] };
}

function breach({ crossed }: CrossingStep, kind: 'flip_breach' | 'wall_break', metric: string): Draft[] {
  if (crossed === null) return [];
  return [
    {
      kind,
      detail: metric,
      horizon: kind === 'flip_breach' ? '1d' : 'close',
      onGamma: true,
      direction: crossed.side === 1 ? 'up' : 'down',
      strength: 1,
      level: crossed.level,
      evidence: [{ metric, value: crossed.level, threshold: null, unit: 'points' }],
      invalidation: 'spot returns across the level for two observations or by 0.1 %',
    },
  ];
}

/** The draft of a rule that starts now or turns round; one that ended is taken out of force. */
function apply(rule: SignalRule, o: Observation, active: Record<string, number>): Draft[] {
  const reading = rule.read(o);
  if (reading === null || reading.verdict === 'hold') return [];
  const { kind, detail, horizon, onGamma } = rule;
  const scope = `${kind}:${detail}:`;
  if (reading.verdict === 'off') {
    for (const key of Object.keys(active)) if (key.startsWith(scope)) delete active[key];
    return [];
  }
  if (`${scope}${reading.direction}` in active) return [];
  const { direction, strength, level, evidence, invalidation } = reading;
  return [{ kind, detail, horizon, onGamma, direction, strength, level, evidence, invalidation }];
}

function anomaly(metric: keyof SignalState['series'], alarm: Alarm | null, active: Record<string, number>): Draft[] {
  if (alarm === null || `anomaly:${metric}:none` in active) return [];
  return [
    {
      kind: 'anomaly',
      detail: metric,
      horizon: '30m',
      onGamma: false,
      direction: 'none',
      strength: Math.min(1, Math.abs(alarm.value) / alarm.limit - 1),
      level: null,
      evidence: [
        { metric: `${metric}_${alarm.test}`, value: alarm.value, threshold: alarm.limit, unit: 'robust sigma' },
      ],
      invalidation: 'none: it says that the figure was out of line, not where it goes',
    },
  ];
}

function finish({ detail, onGamma, evidence, ...draft }: Draft, o: Observation): Signal {
  const minutes = horizonMinutes(draft.horizon, o);
  return {
    ...draft,
    id: `${o.symbol}.${draft.kind}.${detail}.${o.as_of}`,
    symbol: o.symbol,
    confidence: onGamma ? signConfidence(o) : null,
    as_of: new Date(o.as_of).toISOString(),
    expires_at: new Date(o.as_of + minutes.clock * MINUTE).toISOString(),
    spot: o.spot,
    expected_move_pct: o.atm_vol === null ? null : 100 * o.atm_vol * Math.sqrt(minutes.traded / SESSION / 252),
    evidence: [...evidence],
  };
}

/** Probability that dealers hold the position that the signal assumes. */
function signConfidence({ net_gex, gex_p_positive }: Observation): number | null {
  if (net_gex === null || gex_p_positive === null) return null;
  return net_gex >= 0 ? gex_p_positive : 1 - gex_p_positive;
}

/** Minutes until the horizon ends, and how many of them are traded; a session where the calendar is unknown. */
function horizonMinutes(horizon: Signal['horizon'], o: Observation): { clock: number; traded: number } {
  const left = Math.max(1, o.minutes_to_close ?? SESSION);
  if (horizon === '30m') return { clock: 30, traded: Math.min(30, left) };
  if (horizon === 'close') return { clock: left, traded: Math.min(left, SESSION) };
  const next = o.next_close === null ? 24 * 60 : (o.next_close - o.as_of) / MINUTE;
  return { clock: Math.max(1, next), traded: SESSION + Math.min(o.minutes_to_close ?? 0, SESSION) };
}
