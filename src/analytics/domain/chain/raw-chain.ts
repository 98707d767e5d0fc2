import { AppError } from '#src/lib/errors.ts';
import type { MarketSymbol } from './symbols.ts';

/** One contract as the source wrote it. Nothing is checked yet: numbers may be NaN, negative or crossed. */
export interface RawContract {
  /** OSI symbol, or the text in its place. */
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  /** Decimal; 0 means none. */
  readonly iv: number;
  readonly openInterest: number;
  readonly volume: number;
  /** Strike, and expiry day as `YYYY-MM-DD`, that the row states beside the symbol; null where it does not. */
  readonly stated: { readonly strike: number | null; readonly date: string | null };
}

/** A chain as a reader understood it: whole and of known columns, its rows still unchecked. */
export interface RawChain {
  readonly symbol: MarketSymbol;
  readonly name: string;
  readonly source: 'cboe_csv' | 'cboe_json';
  /** Epoch milliseconds of the chain's own timestamp. */
  readonly asOf: number;
  readonly spot: number;
  readonly contracts: readonly RawContract[];
}

/** The error for a chain that cannot be used, naming the field at fault and a short form of its value. */
export function invalidChain(field: string, expected: string, value: unknown, more: object = {}): AppError {
  const shown = show(value);
  return new AppError('invalid_chain', `${field}: expected ${expected}, got ${shown}.`, {
    field,
    value: shown,
    ...more,
  });
}

function show(value: unknown): string | number | boolean | null {
  if (typeof value === 'string') return value.length > 80 ? `${value.slice(0, 80)}…` : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return `array of ${value.length}`;
  return value === undefined ? 'nothing' : typeof value;
}
