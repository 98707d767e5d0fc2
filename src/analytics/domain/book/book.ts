/** Terms of one settlement that pricing needs. */
export interface BookExpiry {
  /** Root and day, e.g. `SPXW 2026-11-20`. */
  readonly label: string;
  /** ACT/365 years to settlement, above zero. */
  readonly years: number;
  /** Continuous rate: the discount factor is e^{−rate·years}. */
  readonly rate: number;
  /** Continuous yield: the forward is spot·e^{(rate − dividend)·years}. */
  readonly dividend: number;
}

/**
 * The contracts that numbers are computed from, one row each, with their volatility and the dealers' signed position.
 * Sticky strike: a row keeps its volatility when the spot moves.
 */
export interface Book {
  readonly spot: number;
  /** Shares per contract. */
  readonly multiplier: number;
  readonly contracts: number;
  readonly expiries: readonly BookExpiry[];
  /** True where Greeks near expiry go over to Bachelier's model (see `normalWeight`); else Black's holds throughout. */
  readonly blended?: boolean | undefined;
  /** Index into {@link Book.expiries}. */
  readonly expiry: Uint16Array;
  readonly strike: Float64Array;
  /** 1 for a call, 0 for a put. */
  readonly isCall: Uint8Array;
  /** Decimal per square root of a year, above zero. */
  readonly volatility: Float64Array;
  readonly openInterest: Float64Array;
  /** Contracts the dealers are long (above zero) or short. */
  readonly position: Float64Array;
}

/** A book of `count` empty rows, to be filled by the caller. */
export function emptyBook(frame: Pick<Book, 'spot' | 'multiplier' | 'expiries' | 'blended'>, count: number): Book {
  return {
    ...frame,
    contracts: count,
    expiry: new Uint16Array(count),
    strike: new Float64Array(count),
    isCall: new Uint8Array(count),
    volatility: new Float64Array(count),
    openInterest: new Float64Array(count),
    position: new Float64Array(count),
  };
}

/**
 * Generation 1, the static convention: dealers are long every call and short every put of the open interest.
 * It is a convention, not a measurement: always report gross gamma beside what follows from it.
 */
export function staticPosition(isCall: boolean, openInterest: number): number {
  return isCall ? openInterest : -openInterest;
}
