import { type BenchRow, medianMs, row } from '#bench/numerics/measure.ts';
import { noisyQuotes } from '#bench/numerics/surface-quotes.ts';
import { cboeJson } from '#bench/numerics/synthetic-chain.ts';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { deAmericanise } from '#src/analytics/domain/book/de-americanise.ts';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { hedgingBands } from '#src/analytics/domain/hedging/hedging-bands.ts';
import { bucketFlips } from '#src/analytics/domain/levels/bucket-flips.ts';
import { gammaFlips, movingFlips } from '#src/analytics/domain/levels/gamma-flips.ts';
import { gammaProfile } from '#src/analytics/domain/levels/gamma-profile.ts';
import { gammaTerms } from '#src/analytics/domain/levels/gamma-terms.ts';
import { black76Price } from '#src/analytics/domain/pricing/black-scholes.ts';
import { impliedVolatility, type PricedOption } from '#src/analytics/domain/pricing/implied-volatility.ts';
import { fitEssvi } from '#src/analytics/domain/surface/fit-essvi.ts';
import { fitSvi } from '#src/analytics/domain/surface/fit-svi.ts';
import { refineEssvi } from '#src/analytics/domain/surface/refine-essvi.ts';
import { scaleQuotes } from '#src/analytics/domain/surface/smile-misfit.ts';

/**
 * The numerics on one core with 20,000 contracts (40 expiries × 250 strikes × call and put): medians after warm-up,
 * against the gates of analytics.md section 5. Takes about ten seconds.
 */
export async function numericsBench(): Promise<BenchRow[]> {
  const text = cboeJson();
  const chain = cleanChain(readChain(text, 'SPX'));
  const { book } = priceBook(chain);
  // A volatility of its own for every contract, so that no call shares its gamma with the put of its strike.
  const apart = { ...book, volatility: book.volatility.map((sigma, i) => sigma * (1 + 1e-6 * (i % 2))) };
  const quotes = outOfTheMoney(book);
  const often = { warmUp: 30, runs: 101 };
  const answer = (): unknown => analyzeChain(cleanChain(readChain(text, 'SPX')), { advUsd: 400e9 });
  return [
    row(
      'implied volatility, 20,000 out-of-the-money quotes',
      (medianMs(() => solveAll(quotes), often) * 1e6) / quotes.length,
      'ns each',
      350,
    ),
    row(
      'GEX profile, 200 spots',
      medianMs(() => gammaProfile(book, gammaTerms(book), 200), often),
      'ms',
      8,
    ),
    row(
      'GEX profile, 200 spots, no shared strikes',
      medianMs(() => gammaProfile(apart, gammaTerms(apart), 200), often),
      'ms',
      8,
    ),
    row(
      'DEX, GEX, VEX, CEX and TEX at one spot',
      medianMs(() => exposures(book), often),
      'ms',
      1.5,
    ),
    row(
      'every gamma flip',
      medianMs(() => gammaFlips(book), often),
      'ms',
      20,
    ),
    ...levelRows(book, Date.parse(chain.asOf)),
    ...surfaceRows(),
    row(
      'early exercise out of a fund, per 7,000 contracts',
      medianMs(() => deAmericanise({ ...chain, symbol: 'SPY' }), { warmUp: 2, runs: 5 }) * (7000 / chain.contracts),
      'ms',
      400,
    ),
    row('raw JSON text to the full answer', medianMs(answer, { warmUp: 12, runs: 41 }), 'ms', 60),
  ];
}

/** Searches along the profile: edges, dormant zones and the flips of parts of the book. */
function levelRows(book: Book, asOf: number): BenchRow[] {
  const all = gammaFlips(book);
  const slopes = new Float64Array(book.expiries.length).fill(-0.05);
  const some = { warmUp: 10, runs: 31 };
  return [
    row(
      'hedging bands and dormant zones',
      medianMs(() => hedgingBands({ book, atmVolatility: 0.18, asOf, session: null }), some),
      'ms',
      15,
    ),
    row(
      'gamma flips of today, the week and the month',
      medianMs(() => bucketFlips({ book, asOf, coverage: 1, all }), some),
      'ms',
      15,
    ),
    row(
      'every gamma flip of a moving smile',
      medianMs(() => movingFlips(book, slopes), some),
      'ms',
      15,
    ),
  ];
}

/** Fits of 40 expiries × 60 quotes; a slice is timed with its certificate and, where it needs one, its repair. */
function surfaceRows(): BenchRow[] {
  const expiries = noisyQuotes();
  const scaled = (): ReturnType<typeof scaleQuotes>[] =>
    expiries.map(({ quotes, years }) => scaleQuotes(quotes, years));
  const ready = scaled();
  const start = fitEssvi(ready);
  const slices = (): void => {
    for (const { quotes, years } of expiries) fitSvi(quotes, years);
  };
  const often = { warmUp: 100, runs: 101 };
  return [
    row('SVI slice, 60 quotes', (medianMs(slices, often) * 1e3) / expiries.length, 'µs each', 30),
    row(
      'eSSVI surface, 40 expiries × 60 quotes, sequential',
      medianMs(() => fitEssvi(scaled()), often),
      'ms',
      1,
    ),
    row(
      'eSSVI surface, 40 expiries × 60 quotes, all slices at once',
      medianMs(() => refineEssvi(ready, start), { warmUp: 10, runs: 31 }),
      'ms',
      25,
    ),
  ];
}

function solveAll(quotes: readonly PricedOption[]): number {
  let sum = 0;
  for (const quote of quotes) {
    const sigma = impliedVolatility(quote);
    if (typeof sigma === 'number') sum += sigma;
  }
  return sum;
}

/** An undiscounted quote per contract of the book; in-the-money ones are replaced by the other side of their strike. */
function outOfTheMoney(book: Book): PricedOption[] {
  return Array.from(book.strike, (strike, i) => {
    const { years, rate, dividend } = book.expiries[book.expiry[i]!]!;
    const forward = book.spot * Math.exp((rate - dividend) * years);
    const isCall = strike >= forward;
    const deviation = book.volatility[i]! * Math.sqrt(years);
    return { price: black76Price({ isCall, forward, strike, deviation, discount: 1 }), forward, strike, years, isCall };
  });
}

if (import.meta.main) console.table(await numericsBench());
