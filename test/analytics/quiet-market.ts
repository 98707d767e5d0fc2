import type { Observation } from '#src/analytics/domain/signals/signals-schema.ts';

export const START = Date.UTC(2026, 10, 20, 15, 0);

/** A market in which nothing happens. */
export const quiet: Observation = {
  symbol: 'SPX',
  as_of: START,
  spot: 6000,
  session_open: 6000,
  minutes_to_close: 360,
  next_close: null,
  net_gex: 2e9,
  gex_p_positive: 0.9,
  flip: 5900,
  call_wall: 6200,
  put_wall: 5800,
  pin_strike: null,
  regime: 'positive',
  dsi: 55,
  vcm: 0,
  vcm_agreement: 1,
  gtbr: 1,
  gtbr_breach: false,
  instability_ratio: 0.1,
  gci_confirmed: false,
  confirmed_level: 5950,
  atm_vol: 0.16,
  median_spread: 0.02,
  charm_flow: 0,
  adv_usd: 4e11,
};
