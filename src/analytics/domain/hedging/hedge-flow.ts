import type { Book } from '#src/analytics/domain/book/book.ts';
import { type BookRows, bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { deltaShares } from '#src/analytics/domain/exposures/delta-sums.ts';
import { gammaSums } from '#src/analytics/domain/exposures/gamma-sums.ts';
import { volatilityMoves } from '#src/analytics/domain/exposures/smile-dynamics.ts';

export interface HedgeMove {
  /** Return of spot, decimal, above −1. */
  readonly spotReturn: number;
  /** Calendar years that pass, ACT/365. */
  readonly years: number;
  /** Parallel move of volatility, vol points. */
  readonly volPoints: number;
}

/** Dollars dealers trade, above zero they buy. */
export interface HedgeFlow {
  /** gamma + vanna + charm + residual, in this order: equal to the last bit. */
  readonly flow: number;
  readonly gamma: number;
  readonly vanna: number;
  readonly charm: number;
  readonly residual: number;
}

/** A book made ready for many repricings. */
export interface HedgedBook {
  readonly spot: number;
  readonly rows: BookRows;
  readonly slopes: Float64Array;
  /** Delta now, shares. */
  readonly shares: number;
  /** Net gamma, $ per +1 % spot. */
  readonly gex: number;
}

/** `slopes` are dσ/d ln S of each expiry, (R − 1)·skew; zeros for sticky strike. */
export function hedgedBook(book: Book, slopes: Float64Array): HedgedBook {
  const rows = bookRows(book);
  const { gex } = gammaSums(rows, { spot: book.spot });
  return { spot: book.spot, rows, slopes, shares: deltaShares(rows, { spot: book.spot }), gex };
}

/** −[Δ(S', t', σ') − Δ(S, t, σ)]·S' by full reprice: each σ moves by slope·ln(S'/S) and the parallel points. */
export function hedgeFlow(book: HedgedBook, move: HedgeMove): number {
  const moves = volatilityMoves(book.slopes, Math.log1p(move.spotReturn), move.volPoints / 100);
  const spot = book.spot * (1 + move.spotReturn);
  return -(deltaShares(book.rows, { spot, elapsed: move.years, moves }) - book.shares) * spot;
}

/** {@link hedgeFlow} and what makes it. Charm is repriced, since its formula diverges where a contract settles. */
export function attributeFlow(book: HedgedBook, move: HedgeMove): HedgeFlow {
  const { spot, rows, slopes } = book;
  const total = hedgeFlow(book, move);
  const moves = volatilityMoves(slopes, Math.log1p(move.spotReturn), move.volPoints / 100);
  const gamma = -book.gex * 100 * move.spotReturn;
  const vanna = -100 * gammaSums(rows, { spot, slopes: moves }).vannaDrag;
  const charm = -(deltaShares(rows, { spot, elapsed: move.years }) - book.shares) * spot;
  const residual = total - (gamma + vanna + charm);
  return { flow: gamma + vanna + charm + residual, gamma, vanna, charm, residual };
}
