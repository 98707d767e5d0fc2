import { newYorkDate, newYorkInstant, settlementInstant, yearsBetween } from '#src/analytics/domain/calendar/time.ts';
import { formatOsiSymbol } from '#src/analytics/domain/chain/osi-symbol.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { normalCdf, normalPdf } from '#src/analytics/domain/numerics/normal.ts';
import { black76Price } from '#src/analytics/domain/pricing/black-scholes.ts';
import { type RandomStream, randomStream } from '#src/analytics/domain/statistics/random.ts';
import { type SviSurface, surfaceVolatility } from '#src/analytics/domain/surface/smile.ts';
import { type Listing, listings } from '#src/analytics/domain/synthetic/listing-calendar.ts';

export interface GenerateOptions {
  readonly symbol: MarketSymbol;
  /** Epoch milliseconds of the chain's timestamp; written to the minute. */
  readonly at: number;
  /** Another seed gives another market; the same seed, symbol and time give the same text. */
  readonly seed?: number | undefined;
}

interface Market extends SviSurface {
  readonly spot: number;
  readonly dividend: number;
  /** Least price increment, dollars. */
  readonly tick: number;
  /** Open interest at the most popular strikes, contracts. */
  readonly interest: number;
}

const RATE = 0.04;
const STRIKES = 60;

const base: Readonly<Record<MarketSymbol, Market>> = {
  SPX: { spot: 6850, level: 0.18, rho: -0.65, eta: 1.2, dividend: 0.013, tick: 0.05, interest: 6000 },
  SPY: { spot: 683, level: 0.18, rho: -0.65, eta: 1.2, dividend: 0.013, tick: 0.01, interest: 15_000 },
  QQQ: { spot: 612, level: 0.22, rho: -0.55, eta: 1.1, dividend: 0.006, tick: 0.01, interest: 12_000 },
  IWM: { spot: 244, level: 0.24, rho: -0.5, eta: 1.1, dividend: 0.012, tick: 0.01, interest: 9000 },
  NDX: { spot: 25_150, level: 0.22, rho: -0.55, eta: 1.1, dividend: 0.007, tick: 0.1, interest: 300 },
  RUT: { spot: 2455, level: 0.24, rho: -0.5, eta: 1.1, dividend: 0.013, tick: 0.05, interest: 900 },
};

const HEADING =
  'Expiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,' +
  'Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest';

/**
 * A small made-up chain in the wording of Cboe's CSV export, about eight expiries by sixty strikes, for demonstrations
 * without a vendor. Its name line says "synthetic". Smiles are free of arbitrage; open interest favours round strikes,
 * puts below spot and calls above. Prices are European for every symbol.
 */
export function generateChainCsv({ symbol, at, seed = 1 }: GenerateOptions): string {
  const day = newYorkDate(at);
  // Funds and their indices share the day's move; the minute decides only the stamp and the time to expiry.
  const random = randomStream(`${seed}/${day}/${symbol}`);
  const market = { ...base[symbol] };
  const move = 0.012 * randomStream(`${seed}/${day}`).normal() + 0.003 * random.normal();
  const spot = Math.round(market.spot * Math.exp(move) * 100) / 100;
  const closed = at >= newYorkInstant(`${day}T16:00`);
  const rows = listings(symbol, day, closed)
    .filter((listing) => settlementInstant(listing.date, listing.settlement) > at)
    .flatMap((listing) => expiryRows(listing, { market: { ...market, spot }, at, random }));
  const change = (spot - market.spot).toFixed(2);
  return [
    `${symbol} synthetic,Last: ${spot.toFixed(2)},Change: ${change}`,
    `"Date: ${stamp(at)}",Bid: ${(spot - market.tick).toFixed(2)},Ask: ${(spot + market.tick).toFixed(2)},Size: 1*1,Volume: 0`,
    HEADING,
    ...rows,
    '',
  ].join('\n');
}

interface Frame {
  readonly market: Market;
  readonly at: number;
  readonly random: RandomStream;
}

function expiryRows(listing: Listing, { market, at, random }: Frame): string[] {
  const years = yearsBetween(at, settlementInstant(listing.date, listing.settlement));
  const forward = market.spot * Math.exp((RATE - market.dividend) * years);
  const deviation = surfaceVolatility(market, 0, years) * Math.sqrt(years);
  const step = strikeStep((7 * deviation * market.spot) / STRIKES, market.spot);
  const first = Math.round(market.spot / step) - Math.ceil(0.55 * STRIKES);
  const label = Temporal.PlainDate.from(listing.date)
    .toLocaleString('en-US', { weekday: 'short', month: 'short', day: '2-digit', year: 'numeric' })
    .replaceAll(',', '');
  const rows: string[] = [];
  for (let i = 0; i < STRIKES; i++) {
    const strike = (first + i) * step;
    if (!(strike > 0)) continue;
    const volatility = surfaceVolatility(market, Math.log(strike / forward), years);
    const point = { strike, forward, volatility, years, deviation, market, random };
    rows.push(`${label},${side(listing, point, true)},${strike.toFixed(2)},${side(listing, point, false)}`);
  }
  return rows;
}

/** The round step nearest above what sixty strikes need, no finer than a tenth of a percent of spot. */
function strikeStep(wanted: number, spot: number): number {
  const steps = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000];
  return steps.find((step) => step >= wanted && step >= 0.0005 * spot) ?? 1000;
}

interface Point {
  readonly strike: number;
  readonly forward: number;
  readonly volatility: number;
  readonly years: number;
  readonly deviation: number;
  readonly market: Market;
  readonly random: RandomStream;
}

function side({ root, date }: Listing, point: Point, isCall: boolean): string {
  const { strike, forward, volatility, years, market } = point;
  const s = volatility * Math.sqrt(years);
  const discount = Math.exp(-RATE * years);
  const price = black76Price({ isCall, forward, strike, deviation: s, discount });
  const d1 = Math.log(forward / strike) / s + 0.5 * s;
  const carry = Math.exp(-market.dividend * years);
  const delta = carry * (isCall ? normalCdf(d1) : -normalCdf(-d1));
  const gamma = (carry * normalPdf(d1)) / (market.spot * s);
  const half = market.tick + 0.008 * price;
  const bid = Math.max(0, Math.floor((price - half) / market.tick) * market.tick);
  const ask = Math.ceil((price + half) / market.tick) * market.tick;
  const interest = openInterest(point, isCall);
  const volume = Math.round(interest * 0.3 * point.random.uniform());
  const symbol = formatOsiSymbol({ root, date, isCall, strike });
  const quote = [price.toFixed(2), '0', bid.toFixed(2), ask.toFixed(2), volume, volatility.toFixed(4)];
  return [symbol, ...quote, delta.toFixed(4), gamma.toFixed(6), interest].join(',');
}

/** A bell around the side's favourite distance, times a bump for round strikes, times log-normal noise. */
function openInterest({ strike, forward, deviation, market, random }: Point, isCall: boolean): number {
  const distance = Math.log(strike / forward) / deviation;
  const favourite = isCall ? 0.7 : -1;
  const bell = Math.exp(-0.5 * ((distance - favourite) / 1.1) ** 2);
  const unit = 10 ** Math.floor(Math.log10(market.spot) - 1);
  const bump = strike % (unit * 5) === 0 ? 3 : strike % unit === 0 ? 2 : strike % (unit / 2) === 0 ? 1.4 : 1;
  const size = market.interest * (isCall ? 0.8 : 1) * bump * bell;
  return Math.round(size * Math.exp(0.5 * random.normal()));
}

/** `September 14, 2023 at 4:31 PM EDT`. */
function stamp(at: number): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('America/New_York');
  const date = zoned.toPlainDate().toLocaleString('en-US', { dateStyle: 'long' });
  const hour = zoned.hour % 12 === 0 ? 12 : zoned.hour % 12;
  const minute = String(zoned.minute).padStart(2, '0');
  const zone = zoned.offset === '-04:00' ? 'EDT' : 'EST';
  return `${date} at ${hour}:${minute} ${zoned.hour < 12 ? 'AM' : 'PM'} ${zone}`;
}
