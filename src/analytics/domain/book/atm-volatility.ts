import type { Book } from './book.ts';

const THIRTY_DAYS = 30 / 365;

/**
 * Volatility at the money for 30 days: at each expiry linear in strike between the two strikes around spot (mean of
 * call and put), between the two expiries around 30 days linear in total variance, flat outside. Null for an empty book.
 */
export function atmVolatility(book: Book, years: number = THIRTY_DAYS): number | null {
  const slices = expiryAtmVolatilities(book)
    .flatMap((sigma, e) => (sigma === null ? [] : [{ sigma, years: book.expiries[e]!.years }]))
    .toSorted((a, b) => a.years - b.years);
  const after = slices.find((slice) => slice.years >= years);
  const before = slices.findLast((slice) => slice.years <= years);
  if (!before || !after) return (before ?? after)?.sigma ?? null;
  if (after.years === before.years) return 0.5 * (before.sigma + after.sigma);
  const t = (years - before.years) / (after.years - before.years);
  const variance = (1 - t) * before.sigma ** 2 * before.years + t * after.sigma ** 2 * after.years;
  return Math.sqrt(variance / years);
}

/** The same at each expiry of the book, null where it has no contract. */
export function expiryAtmVolatilities(book: Book): (number | null)[] {
  const below = book.expiries.map(() => ({ strike: -Infinity, sum: 0, count: 0 }));
  const above = book.expiries.map(() => ({ strike: Infinity, sum: 0, count: 0 }));
  for (let i = 0; i < book.contracts; i++) {
    const strike = book.strike[i]!;
    const e = book.expiry[i]!;
    if (strike <= book.spot) keepNearest(below[e]!, strike, book.volatility[i]!, strike > below[e]!.strike);
    if (strike >= book.spot) keepNearest(above[e]!, strike, book.volatility[i]!, strike < above[e]!.strike);
  }
  return book.expiries.map((_, e) => {
    const [low, high] = [below[e]!, above[e]!];
    if (low.count === 0 && high.count === 0) return null;
    if (low.count === 0) return high.sum / high.count;
    if (high.count === 0 || low.strike === high.strike) return low.sum / low.count;
    const t = (book.spot - low.strike) / (high.strike - low.strike);
    return (1 - t) * (low.sum / low.count) + t * (high.sum / high.count);
  });
}

function keepNearest(
  side: { strike: number; sum: number; count: number },
  strike: number,
  volatility: number,
  nearer: boolean,
): void {
  if (nearer) {
    side.strike = strike;
    side.sum = 0;
    side.count = 0;
  }
  if (strike === side.strike) {
    side.sum += volatility;
    side.count++;
  }
}
