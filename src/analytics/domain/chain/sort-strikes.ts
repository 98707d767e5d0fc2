import type { RawContract } from './raw-chain.ts';

/** A checked contract of one expiry. */
export interface Row {
  readonly contract: RawContract;
  readonly strike: number;
  readonly isCall: boolean;
  readonly expiry: number;
}

/** Room for the place of a row beside its strike, in the 53 bits of a number. */
const PLACES = 2 ** 20;

/**
 * The rows of an expiry by strike, calls first, equals in their old order. Strike and place are packed in one number,
 * because sorting a typed array is several times as fast as sorting objects with a comparison.
 */
export function sortStrikes(rows: readonly Row[]): Row[] {
  const keys = Float64Array.from(rows, ({ strike, isCall }, place) => {
    return (Math.round(strike * 1000) * 2 + (isCall ? 0 : 1)) * PLACES + place;
  });
  return Array.from(keys.toSorted(), (key) => rows[key % PLACES]!);
}

/** Of rows that name the same contract the first stays. The rows are sorted. */
export function withoutDuplicates(rows: readonly Row[]): Row[] {
  return rows.filter(({ strike, isCall }, i) => {
    const before = rows[i - 1];
    return before === undefined || before.strike !== strike || before.isCall !== isCall;
  });
}
