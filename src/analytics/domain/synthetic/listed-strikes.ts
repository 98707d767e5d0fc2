import { addDays } from '#src/analytics/domain/calendar/exchange-days.ts';
import { type ListedExpiry, type ListingName, listingClasses } from './listed-expiries.ts';
import { numberFrom } from './trading-index.ts';

export interface StrikeRules {
  /** Least distance of strikes. */
  readonly strikeStep: number;
  /** Typical volatility of a year. */
  readonly volatility: number;
  /** Strikes that an expiry should have at its listing, about. */
  readonly strikes: number;
  /** Price of the underlying at the close before a trading day. */
  priceBefore(day: number): number;
}

const STEPS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000];
/** Reach of the strikes, in deviations of the listing's whole life: finely spaced about the money, coarsely beyond. */
const FINE = 1.2;
const COARSE = { down: 4, up: 2.8 } as const;
/** Deviations that the strikes of one fine step would cover: the fine part, and the coarse one at a fifth. */
const SPAN = 2 * FINE + (COARSE.down + COARSE.up - 2 * FINE) / 5;

/**
 * Strikes of an expiry on a trading day, each with the number of the day that it was first listed on. As on an exchange,
 * strikes are added when the underlying moves and never taken back, and in the last week the grid becomes that of a daily.
 */
export function listedStrikes(expiry: ListedExpiry, day: number, rules: StrikeRules): Map<number, number> {
  const strikes = new Map<number, number>();
  addGrid(strikes, { listing: expiry.listing, from: expiry.listed, day }, rules);
  if (expiry.settlement === 'pm' && expiry.listing !== 'daily') {
    const from = Math.max(expiry.listed, numberFrom(addDays(expiry.date, -listingClasses.daily.days)));
    addGrid(strikes, { listing: 'daily', from, day }, rules);
  }
  return strikes;
}

interface Grid {
  readonly listing: ListingName;
  /** First day with it, and the requested day. */
  readonly from: number;
  readonly day: number;
}

function addGrid(strikes: Map<number, number>, { listing, from, day }: Grid, rules: StrikeRules): void {
  if (from > day) return;
  const deviation = rules.volatility * Math.sqrt(listingClasses[listing].days / 365);
  const wanted = (SPAN * deviation * rules.priceBefore(from)) / rules.strikes;
  const rung = STEPS.findIndex((step) => step >= wanted && step >= rules.strikeStep);
  const fine = STEPS[rung < 0 ? STEPS.length - 1 : rung] ?? rules.strikeStep;
  const coarse = STEPS[Math.min(rung + 2, STEPS.length - 1)] ?? fine;
  // Where the least step is wider than wanted, the strikes that are left over widen the fine part.
  const reach = FINE * Math.min(Math.max(fine / wanted, 1), COARSE.up / FINE);
  let low = Infinity;
  let high = 0;
  for (let number = from; number <= day; number++) {
    const spot = rules.priceBefore(number);
    if (spot >= low && spot <= high) continue;
    low = Math.min(low, spot);
    high = Math.max(high, spot);
    const add = (step: number, down: number, up: number): void => {
      const last = Math.floor((high * Math.exp(up * deviation)) / step);
      for (let i = Math.max(Math.ceil((low * Math.exp(-down * deviation)) / step), 1); i <= last; i++) {
        if (!strikes.has(i * step)) strikes.set(i * step, number);
      }
    };
    add(fine, reach, reach);
    add(coarse, COARSE.down, COARSE.up);
  }
}
