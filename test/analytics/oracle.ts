import { readFileSync } from 'node:fs';
import { type Book, emptyBook, staticPosition } from '#src/analytics/domain/book/book.ts';

/** One reference value; the shape of inputs and expected depends on the group. */
export interface OracleCase {
  readonly id: string;
  readonly group: string;
  readonly function: string;
  readonly inputs: any;
  readonly expected: any;
  readonly tol: number;
  readonly tol_type: 'abs' | 'rel';
}

const path = new URL('../vectors/analytics/oracle.json', import.meta.url);
const oracle: { readonly definition_fixture: FixtureInput; readonly cases: readonly OracleCase[] } = JSON.parse(
  readFileSync(path, 'utf8'),
);

/** The cases of a group, as rows for `test.each`. */
export function oracleCases(group: string): (readonly [string, OracleCase])[] {
  return oracle.cases.filter((item) => item.group === group).map((item) => [item.id, item] as const);
}

/** The one `definition` case of a function. */
export function definition(name: string): OracleCase {
  const found = oracle.cases.find((item) => item.group === 'definition' && item.function === name);
  if (!found) throw new Error(`no definition case ${name}`);
  return found;
}

/** How far a value is from the expected one, in units of the case's tolerance: at most 1 passes. */
export function missBy(value: number, expected: number, { tol, tol_type }: OracleCase): number {
  const gap = Math.abs(value - expected);
  return gap === 0 ? 0 : gap / (tol_type === 'abs' ? tol : tol * Math.abs(expected));
}

export interface FixtureInput {
  readonly spot: number;
  readonly r: number;
  readonly q: number;
  readonly multiplier: number;
  readonly adv_usd?: number;
  readonly contracts: readonly {
    readonly type: 'call' | 'put';
    readonly strike: number;
    readonly T: number;
    readonly iv: number;
    readonly oi?: number;
    readonly n?: number;
  }[];
}

export const fixture = oracle.definition_fixture;

/** The book of a fixture: positions as given, else the static convention on its open interest. */
export function fixtureBook({ spot, r, q, multiplier, contracts }: FixtureInput = fixture): Book {
  const years = [...new Set(contracts.map(({ T }) => T))];
  const expiries = years.map((T, e) => ({ label: `E${e}`, years: T, rate: r, dividend: q }));
  const book = emptyBook({ spot, multiplier, expiries }, contracts.length);
  for (const [i, { type, strike, T, iv, oi, n }] of contracts.entries()) {
    const interest = oi ?? Math.abs(n ?? 0);
    book.strike[i] = strike;
    book.expiry[i] = years.indexOf(T);
    book.isCall[i] = type === 'call' ? 1 : 0;
    book.volatility[i] = iv;
    book.openInterest[i] = interest;
    book.position[i] = n ?? staticPosition(type === 'call', interest);
  }
  return book;
}
