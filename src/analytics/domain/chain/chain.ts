/** One settlement: contracts of the same root and expiry day settle together, SPX and SPXW of one day do not. */
export interface ChainExpiry {
  readonly root: string;
  /** Expiry day, `YYYY-MM-DD`. */
  readonly date: string;
  readonly settlement: 'am' | 'pm';
  /** ISO instant of settlement. */
  readonly settlesAt: string;
  /** ACT/365 years from the chain's own timestamp to settlement, above zero. */
  readonly years: number;
}

/** One row per contract. Every array views a SharedArrayBuffer, so a chain goes to a thread without a copy. */
interface ChainColumns {
  readonly strike: Float64Array<SharedArrayBuffer>;
  /** Dollars per share; 0 where there is none. */
  readonly bid: Float64Array<SharedArrayBuffer>;
  readonly ask: Float64Array<SharedArrayBuffer>;
  /** Contracts at the previous settlement. */
  readonly openInterest: Float64Array<SharedArrayBuffer>;
  readonly volume: Float64Array<SharedArrayBuffer>;
  /** The exchange's own implied volatility as a decimal; NaN where it gives none. */
  readonly quotedIv: Float64Array<SharedArrayBuffer>;
  /** Index into {@link Chain.expiries}. */
  readonly expiry: Uint16Array<SharedArrayBuffer>;
  /** 1 for a call, 0 for a put. */
  readonly isCall: Uint8Array<SharedArrayBuffer>;
}

/** A cleaned option chain of one underlying at one instant. */
export interface Chain {
  readonly symbol: string;
  /** The name the source gives the underlying; generated chains say `synthetic` here. */
  readonly name: string;
  readonly source: 'cboe_csv' | 'cboe_json' | 'synthetic';
  /** ISO instant of the chain's own timestamp. */
  readonly asOf: string;
  readonly spot: number;
  /** Shares per contract. */
  readonly multiplier: number;
  readonly contracts: number;
  readonly columns: ChainColumns;
  readonly expiries: readonly ChainExpiry[];
  /** Rows of the source that were left out, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

const FLOATS = 6;

/** Bytes of the columns of `count` contracts: six doubles, a Uint16 and a Uint8 each, padded to eight. */
export function columnBytes(count: number): number {
  return Math.ceil((count * (FLOATS * 8 + 3)) / 8) * 8;
}

/** Columns for `count` contracts over one shared buffer, zeroed, in the order that `packChain` stores. */
export function viewColumns(buffer: SharedArrayBuffer, count: number): ChainColumns {
  const floats = (index: number): Float64Array<SharedArrayBuffer> => new Float64Array(buffer, index * count * 8, count);
  const rest = FLOATS * count * 8;
  return {
    strike: floats(0),
    bid: floats(1),
    ask: floats(2),
    openInterest: floats(3),
    volume: floats(4),
    quotedIv: floats(5),
    expiry: new Uint16Array(buffer, rest, count),
    isCall: new Uint8Array(buffer, rest + count * 2, count),
  };
}

/** Checks whether a chain is generated: its source writes so in the underlying's name. */
export function isSynthetic({ name }: { readonly name: string }): boolean {
  return /\bsynthetic\b/i.test(name);
}
