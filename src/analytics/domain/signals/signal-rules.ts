import type { Direction, Evidence, Observation, Signal, SignalKind } from './signals-schema.ts';

/** Verdict of a rule on one observation. `hold` is between the thresholds: what is in force stays, nothing starts. */
export interface Reading {
  readonly verdict: 'on' | 'off' | 'hold';
  readonly direction: Direction;
  readonly strength: number;
  readonly level: number | null;
  readonly evidence: readonly Evidence[];
  readonly invalidation: string;
}

/** A condition that starts a signal once and must end before it starts another. */
export interface SignalRule {
  readonly kind: SignalKind;
  /** Tells apart rules of one kind. */
  readonly detail: string;
  readonly horizon: Signal['horizon'];
  /** True where the signal rests on the sign of GEX. */
  readonly onGamma: boolean;
  /** Null where a figure it needs is unknown. */
  readonly read: (observation: Observation) => Reading | null;
}

/** Dealers' flow from time alone that counts: half a percent of a day's volume, as for the charm schedule (2.9). */
const CHARM_SHARE = 0.005;

/** The rules of analytics.md 2.12 that depend on one observation; the others are in signals.ts. Thresholds are ours. */
export const signalRules: readonly SignalRule[] = [
  { kind: 'flip_proximity', detail: 'flip', horizon: '1d', onGamma: true, read: nearFlip },
  { kind: 'wall_test', detail: 'call_wall', horizon: 'close', onGamma: true, read: (o) => testWall(o, 'call_wall') },
  { kind: 'wall_test', detail: 'put_wall', horizon: 'close', onGamma: true, read: (o) => testWall(o, 'put_wall') },
  { kind: 'pin', detail: 'pin_strike', horizon: 'close', onGamma: true, read: pin },
  { kind: 'charm_drift', detail: 'charm', horizon: 'close', onGamma: false, read: charmDrift },
  { kind: 'vanna_squeeze', detail: 'vcm', horizon: 'close', onGamma: false, read: vannaSqueeze },
  { kind: 'gtbr_breach', detail: 'gtbr', horizon: 'close', onGamma: true, read: gtbrBreach },
  { kind: 'shadow_instability', detail: 'shadow', horizon: '1d', onGamma: false, read: shadowInstability },
  { kind: 'dark_confirmation', detail: 'dark', horizon: '1d', onGamma: false, read: darkConfirmation },
];

/** One standard deviation of a day's move, points; null where the volatility is unknown. */
function dayMove({ spot, atm_vol }: Observation): number | null {
  return atm_vol === null || !(atm_vol > 0) ? null : (spot * atm_vol) / Math.sqrt(252);
}

/** A value that starts a signal at `on`, ends it past `off`, and is at full strength at `full`; either order of the three. */
function graded(value: number, { on, off, full }: { on: number; off: number; full: number }) {
  const way = Math.sign(full - on);
  const strength = Math.max(0, Math.min(1, (value - on) / (full - on)));
  if ((value - on) * way >= 0) return { verdict: 'on', strength } as const;
  return { verdict: (value - off) * way < 0 ? 'off' : 'hold', strength } as const;
}

function nearFlip(o: Observation): Reading | null {
  const sigma = dayMove(o);
  if (o.flip === null || sigma === null) return null;
  const distance = Math.abs(o.spot - o.flip) / sigma;
  return {
    ...graded(distance, { on: 0.25, off: 0.5, full: 0 }),
    direction: o.flip > o.spot ? 'up' : 'down',
    level: o.flip,
    evidence: [{ metric: 'distance_to_flip', value: distance, threshold: 0.25, unit: 'day sigma' }],
    invalidation: 'spot moves half a day sigma away from the flip',
  };
}

/** Expects the wall to hold: resistance above, support below. */
function testWall(o: Observation, metric: 'call_wall' | 'put_wall'): Reading | null {
  const wall = o[metric];
  const sigma = dayMove(o);
  if (wall === null || sigma === null) return null;
  const distance = Math.abs(o.spot - wall) / sigma;
  return {
    ...graded(distance, { on: 0.1, off: 0.25, full: 0 }),
    direction: metric === 'call_wall' ? 'down' : 'up',
    level: wall,
    evidence: [{ metric: `distance_to_${metric}`, value: distance, threshold: 0.1, unit: 'day sigma' }],
    invalidation: 'spot trades more than 0.1 % beyond the wall',
  };
}

/** Only in the last two hours, and only where dealers are long gamma: short gamma drives spot from a strike. */
function pin(o: Observation): Reading | null {
  const sigma = dayMove(o);
  if (o.pin_strike === null || o.minutes_to_close === null || o.net_gex === null || sigma === null) return null;
  const distance = Math.abs(o.spot - o.pin_strike) / sigma;
  const possible = o.minutes_to_close > 0 && o.minutes_to_close <= 120 && o.net_gex > 0;
  const grade = graded(distance, { on: 0.25, off: 0.5, full: 0 });
  return {
    verdict: possible ? grade.verdict : 'off',
    strength: grade.strength,
    direction: 'contract',
    level: o.pin_strike,
    evidence: [
      { metric: 'distance_to_pin_strike', value: distance, threshold: 0.25, unit: 'day sigma' },
      { metric: 'minutes_to_close', value: o.minutes_to_close, threshold: 120, unit: 'minutes' },
    ],
    invalidation: 'spot leaves the strike by half a day sigma, or net GEX turns negative',
  };
}

function charmDrift(o: Observation): Reading | null {
  if (o.charm_flow === null || o.adv_usd === null || !(o.adv_usd > 0)) return null;
  const share = o.charm_flow / o.adv_usd;
  return {
    ...graded(Math.abs(share), { on: CHARM_SHARE, off: CHARM_SHARE / 2, full: 4 * CHARM_SHARE }),
    direction: share > 0 ? 'up' : 'down',
    level: null,
    evidence: [{ metric: 'charm_flow_share', value: share, threshold: CHARM_SHARE, unit: 'share of day volume' }],
    invalidation: 'the expected flow falls below half the threshold or changes its sign',
  };
}

/** A strong meta-signal whose parts do not conflict. */
function vannaSqueeze(o: Observation): Reading | null {
  if (o.vcm === null) return null;
  const grade = graded(Math.abs(o.vcm), { on: 0.5, off: 0.3, full: 1 });
  return {
    verdict: o.vcm_agreement === -1 ? 'off' : grade.verdict,
    strength: grade.strength,
    direction: o.vcm > 0 ? 'up' : 'down',
    level: null,
    evidence: [{ metric: 'vcm', value: o.vcm, threshold: 0.5, unit: '-1 to 1' }],
    invalidation: 'the meta-signal falls below 0.3, or vanna and charm conflict',
  };
}

/** Beyond the break-even range with short gamma, hedging goes with the move. */
function gtbrBreach(o: Observation): Reading | null {
  const sigma = dayMove(o);
  if (o.gtbr_breach === null || o.session_open === null || sigma === null) return null;
  const move = o.spot - o.session_open;
  return {
    verdict: o.gtbr_breach ? 'on' : 'off',
    strength: Math.min(1, Math.abs(move) / (2 * sigma)),
    direction: move > 0 ? 'up' : 'down',
    level: o.session_open,
    evidence: [
      { metric: 'move_from_open', value: move, threshold: null, unit: 'points' },
      ...(o.gtbr === null ? [] : [{ metric: 'gtbr', value: o.gtbr, threshold: null, unit: 'ratio' }]),
    ],
    invalidation: 'spot returns into the break-even range, or net gamma turns positive',
  };
}

function shadowInstability(o: Observation): Reading | null {
  if (o.instability_ratio === null) return null;
  return {
    ...graded(o.instability_ratio, { on: 0.9, off: 0.7, full: 1 }),
    direction: 'expand',
    level: null,
    evidence: [{ metric: 'instability_ratio', value: o.instability_ratio, threshold: 0.9, unit: '0 to 1' }],
    invalidation: 'the instability ratio falls below 0.7',
  };
}

/** A confirmed level is expected to hold. */
function darkConfirmation(o: Observation): Reading | null {
  const sigma = dayMove(o);
  if (o.gci_confirmed === null || o.confirmed_level === null || sigma === null) return null;
  const distance = Math.abs(o.spot - o.confirmed_level) / sigma;
  return {
    verdict: o.gci_confirmed ? 'on' : 'off',
    strength: Math.max(0, 1 - distance),
    direction: o.confirmed_level > o.spot ? 'down' : 'up',
    level: o.confirmed_level,
    evidence: [{ metric: 'distance_to_confirmed_level', value: distance, threshold: null, unit: 'day sigma' }],
    invalidation: 'spot trades more than 0.1 % beyond the level',
  };
}
