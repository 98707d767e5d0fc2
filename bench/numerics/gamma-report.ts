import { figure, table } from '#bench/lib/markdown.ts';
import { percentile } from '#bench/lib/statistics.ts';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import { bookSymbols } from '#src/analytics/domain/positions/positions-flow.ts';
import { realChains } from './real-chains.ts';

interface Compared {
  readonly days: number;
  /** ln(K/F) in deviations σ√T. */
  readonly deviations: number;
  /** Ours over Cboe's. */
  readonly ratio: number;
}

/** Cboe prints four decimals: under this gamma they are rounding. */
const MEANINGFUL = 0.001;
/** Fewer contracts have no median worth printing. */
const LEAST = 20;
const tenors = [2, 7, 30, 90, 365, Infinity];
const moneyness = [-1.5, -0.5, 0.5, 1.5, Infinity];
const tenorNames = ['to 2 days', 'to 7', 'to 30', 'to 90', 'to 365', 'beyond'];
const moneynessNames = ['k/σ√T to −1.5', 'to −0.5', 'to 0.5', 'to 1.5', 'beyond'];

/** Our gamma over Cboe's own column on the real chains of one day; the verdict is on the median of all. */
export function gammaReport() {
  const chains = realChains().map(([symbol, text]) => [symbol, compare(symbol, text)] as const);
  return {
    text: chains.map(([symbol, rows]) => chainTable(symbol, rows)).join('\n\n'),
    verdicts: chains.map(([symbol, rows]) => {
      const median = percentile(
        rows.map(({ ratio }) => ratio),
        0.5,
      );
      return {
        promise: `gamma of ${symbol} over Cboe's own column: median 0.98 to 1.02`,
        measured: `${median.toFixed(4)} (${figure(rows.length)} contracts)`,
        held: median >= 0.98 && median <= 1.02,
      };
    }),
  };
}

/** Out-of-the-money contracts, whose quotes are the tighter ones. */
function compare(symbol: MarketSymbol, text: string): Compared[] {
  const theirs = cboeGammas(text);
  const { book } = priceBook(cleanChain(readChain(text, symbol)));
  const { gex } = exposureCoefficients(book);
  const perGamma = book.multiplier * 0.01 * book.spot * book.spot;
  return bookSymbols(book).flatMap((name, i) => {
    const gamma = theirs.get(name ?? '') ?? 0;
    const ours = gex[i]! / perGamma;
    const { days, deviations } = placeOf(book, i);
    const isOut = (book.isCall[i] === 1) === deviations >= 0;
    return isOut && gamma > 0 && Math.max(ours, gamma) >= MEANINGFUL ? [{ days, deviations, ratio: ours / gamma }] : [];
  });
}

function placeOf({ expiries, expiry, strike, volatility, spot }: Book, i: number) {
  const { years, rate, dividend } = expiries[expiry[i]!]!;
  const k = Math.log(strike[i]! / spot) - (rate - dividend) * years;
  return { days: 365 * years, deviations: k / (volatility[i]! * Math.sqrt(years)) };
}

/** The column Gamma of both sides of every row, by contract symbol. */
function cboeGammas(text: string): Map<string, number> {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith('Expiration Date'));
  const heading = lines[at]!.split(',');
  const sides = ['Calls', 'Puts'].map((side) => heading.indexOf(side));
  const gammas = new Map<string, number>();
  for (const line of lines.slice(at + 1)) {
    const cells = line.split(',');
    for (const side of sides) gammas.set(cells[side] ?? '', Number(cells[heading.indexOf('Gamma', side)]));
  }
  return gammas;
}

function chainTable(symbol: MarketSymbol, rows: readonly Compared[]): string {
  const place = (edges: readonly number[], value: number) => edges.findIndex((edge) => value < edge);
  const cell = (tenor: number, money: number | null): string => {
    const own = rows.filter(
      ({ days, deviations }) =>
        place(tenors, days) === tenor && (money === null || place(moneyness, deviations) === money),
    );
    if (own.length < LEAST) return '';
    return `${percentile(
      own.map(({ ratio }) => ratio),
      0.5,
    ).toFixed(3)} (${own.length})`;
  };
  return table(
    [`${symbol} of 2023-09-14`, ...moneynessNames, 'all'],
    tenorNames.map((name, tenor) => [name, ...moneynessNames.map((_, money) => cell(tenor, money)), cell(tenor, null)]),
  );
}

if (import.meta.main) {
  const { text, verdicts } = gammaReport();
  process.stdout.write(`${text}\n`);
  console.table(verdicts);
}
