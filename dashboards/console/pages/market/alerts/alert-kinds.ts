import type { Answer } from '#console/api/client.ts';

type Signals = Extract<Answer<'GET /v1/signals/{symbol}'>, { readonly data: unknown }>['data'];

/** A signal, as the API tells it. */
export type Signal = NonNullable<Signals>['recent'][number];
export type SignalKind = Signal['kind'];

/** Meaning of each kind of signal, in words. */
export const alertKinds: Readonly<Record<SignalKind, string>> = {
  regime_change: 'Regime change',
  flip_proximity: 'Near the gamma flip',
  flip_breach: 'Flip crossed',
  wall_test: 'At a wall',
  wall_break: 'Wall crossed',
  pin: 'Pinned to a strike',
  charm_drift: 'Charm drift',
  vanna_squeeze: 'Vanna squeeze',
  gtbr_breach: 'Beyond break-even',
  shadow_instability: 'Unstable gamma',
  dark_confirmation: 'Level confirmed off exchange',
  anomaly: 'Anomaly',
};

/** Words for the direction in which a signal expects spot to go, or for the size of moves. */
export const directions: Readonly<Record<Signal['direction'], string>> = {
  up: '↑ up',
  down: '↓ down',
  expand: '↔ moves grow',
  contract: '→← moves shrink',
  none: 'no direction',
};
