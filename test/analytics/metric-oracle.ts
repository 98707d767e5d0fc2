import { readFileSync } from 'node:fs';
import { fixture, type OracleCase } from './oracle.ts';

const path = new URL('../vectors/analytics/metrics.json', import.meta.url);
const read: { readonly definition_fixture: { SSR: number; sigma_rv: number }; readonly cases: readonly OracleCase[] } =
  JSON.parse(readFileSync(path, 'utf8'));

/** The volatility at the money of the fixture: its 30-day call and put at spot. */
export const fixtureVolatility = 0.150649;
export const { SSR: fixtureSsr, sigma_rv: fixtureRealised } = read.definition_fixture;

/** ∂σ/∂k of each expiry of the fixture. */
export const fixtureSkew = (expiry: number): number =>
  (fixture.contracts as readonly { expiry?: number; skew?: number }[]).find((row) => row.expiry === expiry)?.skew ?? 0;

/** The one case of a function. */
export function metricCase(name: string): OracleCase {
  const found = read.cases.find((item) => item.function === name && item.group === 'definition');
  if (!found) throw new Error(`no definition case ${name}`);
  return found;
}

/** The cases of a group, as rows for `test.each`. */
export function metricCases(group: string): (readonly [string, OracleCase])[] {
  return read.cases.filter((item) => item.group === group).map((item) => [item.id, item] as const);
}
