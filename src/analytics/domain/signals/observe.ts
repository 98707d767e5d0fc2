import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { nextTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';
import type { SessionHours } from '#src/analytics/domain/calendar/horizons.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import type { DarkPool } from '#src/analytics/domain/darkpool/dark-pool-schema.ts';
import type { GenerationFigures } from '#src/analytics/domain/figures/market-figures.ts';
import type { Observation } from './signals-schema.ts';

const MINUTE = 60_000;
/** p-value of the gamma confirmation index up to which it counts. */
const SIGNIFICANT = 0.05;

/** Other facts that are known at the instant of the figures. */
interface Surroundings {
  readonly chain: Chain;
  readonly session: SessionHours | null;
  /** Spot at the opening. */
  readonly open: number | null;
  /** Probability of a positive GEX by the generation that knows best: generation 1 is a convention and has none. */
  readonly pPositive: number | null;
}

/** Builds the observation that signals are made from, from the figures of one generation. */
export function observe(figures: GenerationFigures, { chain, session, open, pPositive }: Surroundings): Observation {
  const { analytics, levels, dsi, vcm, gtbr, shadow_gamma, charm, darkpool } = figures;
  const asOf = Date.parse(analytics.as_of);
  return {
    symbol: analytics.symbol,
    as_of: asOf,
    spot: analytics.spot,
    session_open: open,
    minutes_to_close: session && Math.max(0, session.close - asOf) / MINUTE,
    next_close: sessionOn(nextTradingDay(newYorkDate(asOf))).close,
    net_gex: analytics.exposures.net_gex,
    gex_p_positive: pPositive,
    flip: levels.flip,
    call_wall: levels.call_wall,
    put_wall: levels.put_wall,
    pin_strike: levels.pin_strike,
    regime: analytics.regime.state,
    dsi: dsi.dsi,
    vcm: vcm.vcm,
    vcm_agreement: vcm.agreement,
    gtbr: gtbr.gtbr,
    gtbr_breach: gtbr.breach,
    instability_ratio: shadow_gamma.instability_ratio,
    ...confirmation(darkpool, analytics.spot),
    atm_vol: levels.atm_volatility,
    median_spread: medianSpread(chain),
    charm_flow: charm.flow_to_close,
    adv_usd: analytics.adv_usd,
  };
}

/**
 * The confirmed level nearest to spot, where volume sits with gamma at all. Without a confirmed one it is the nearest of
 * all, unconfirmed, so that a signal in force ends.
 */
function confirmation({ gci_p_value, levels }: DarkPool, spot: number) {
  const confirmed = levels.filter((level) => level.confirmed);
  const nearest = (confirmed.length > 0 ? confirmed : levels).toSorted(
    (a, b) => Math.abs(a.level - spot) - Math.abs(b.level - spot),
  )[0];
  if (gci_p_value === null || nearest === undefined) return { gci_confirmed: null, confirmed_level: null };
  return { gci_confirmed: nearest.confirmed && gci_p_value <= SIGNIFICANT, confirmed_level: nearest.level };
}

/** Returns the median spread of the quotes with both sides; null without any. */
function medianSpread({ contracts, columns: { bid, ask } }: Chain): number | null {
  const spreads: number[] = [];
  for (let i = 0; i < contracts; i++)
    if (bid[i]! > 0 && ask[i]! >= bid[i]!) spreads.push((2 * (ask[i]! - bid[i]!)) / (ask[i]! + bid[i]!));
  const sorted = Float64Array.from(spreads).toSorted();
  const middle = sorted.length / 2;
  return sorted.length === 0 ? null : (sorted[Math.floor(middle - 0.25)]! + sorted[Math.floor(middle)]!) / 2;
}
