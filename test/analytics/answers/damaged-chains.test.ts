import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { enveloped } from '#src/analytics/answers/envelope.ts';
import { SnapshotAnswer } from '#src/analytics/answers/schemas.ts';
import { answerField, type Section, sections } from '#src/analytics/answers/sections.ts';
import { snapshotAnswer } from '#src/analytics/answers/snapshot-data.ts';
import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import type { RawChain } from '#src/analytics/domain/chain/raw-chain.ts';
import { type MarketFigures, marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import { generationNames } from '#src/analytics/domain/positions/dealer-positions.ts';
import { openFlow } from '#src/analytics/domain/positions/flow-days.ts';
import { orNull } from '#src/analytics/domain/schema-parts.ts';
import { sectionAnswers } from '#src/analytics/sections/section-answers.ts';
import { AppError } from '#src/lib/errors.ts';
import { anyDamage, damage, damages } from '#test/analytics/damaged-chains.ts';
import { symbolsOf } from '#test/analytics/synthetic.ts';

const checks = Object.entries<Section>(sections).map(
  ([name, { data, title }]) => [name, Compile(enveloped(orNull(data), title))] as const,
);
const checkSnapshot = Compile(SnapshotAnswer);

/** Every figure of a chain with all that may be known beside it; null where the chain is refused for what it lacks. */
function figuresOf(raw: RawChain): MarketFigures | null {
  try {
    const chain = cleanChain(raw);
    const symbols = symbolsOf(chain);
    const openInterest = new Map(symbols.map((symbol, i) => [symbol, chain.columns.openInterest[i]!]));
    const date = chain.asOf.slice(0, 10);
    return marketFigures({
      chain,
      advUsd: 400e9,
      session: sessionOf(date),
      realisedVolatility: 0.15,
      open: chain.spot * 1.01,
      flow: openFlow({ date, at: Date.parse(chain.asOf), openInterest }),
      rawShares: { '1': [0.4, 0.5, 0.6] },
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_chain') return null;
    throw error;
  }
}

/** Where a number is not finite; JSON would make a null of it that means something else. */
function nonFinite(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => nonFinite(part, `${path}.${name}`));
}

/** What is wrong with the answers of a chain, in words. */
function faultsOf(figures: MarketFigures): string[] {
  const answers = sectionAnswers(figures, 'own');
  const faults: string[] = [];
  for (const name of generationNames) {
    faults.push(...nonFinite(figures.generations[name], name));
    for (const [section, check] of checks) {
      const answer: unknown = JSON.parse(answers.get(answerField(section, name)) ?? 'null');
      if (!check.Check(answer)) faults.push(`${section}:${name} ${JSON.stringify(check.Errors(answer)[0])}`);
      const { status, data } = answer as { status: string; data: unknown };
      if (data === null && status === 'ok') faults.push(`${section}:${name} is null and says ok`);
    }
  }
  const first = figures.generations['1'];
  if (first && !checkSnapshot.Check(snapshotAnswer(first.analytics))) faults.push('snapshot');
  return faults;
}

/** Chains of which nothing can be computed: no quote says what an option is worth. */
const refused = new Set(['all-zero bids']);

test.each(Object.keys(damages))(
  '%s: every section of every generation answers its schema in finite numbers, or null',
  (name) => {
    const figures = figuresOf(damage([name], 1));
    expect(figures === null).toBe(refused.has(name));
    expect(figures && faultsOf(figures)).toEqual(figures && []);
  },
);

test('property: damages on top of each other are answered or refused with invalid_chain, never in between', () => {
  fc.assert(
    fc.property(anyDamage, ({ which, seed }) => {
      const figures = figuresOf(damage(which, seed));
      expect(figures && faultsOf(figures)).toEqual(figures && []);
    }),
    { numRuns: 40 },
  );
}, 60_000);

test('without open interest nothing is claimed of dealers: no exposure, no flip, no wall', () => {
  const first = figuresOf(damage(['zero open interest'], 1))?.generations['1'];
  expect(first?.analytics).toMatchObject({
    exposures: { net_gex: 0, gex_abs: 0 },
    flips: { primary: null },
    levels: { call_wall: null, put_wall: null, abs_gamma: null },
    profile_by_strike: [],
    quality: { coverage: null },
  });
});

test('a forward measured in the last millisecond does not grow backwards beyond all numbers', () => {
  const figures = figuresOf(damage(['spreads as wide as the price', 'a millisecond before an expiry'], 0));
  expect(figures && faultsOf(figures)).toEqual([]);
});

test('contracts expire between two ticks: a millisecond before they count, at the instant they do not', () => {
  const [before, at] = ['a millisecond before an expiry', 'the instant of an expiry'].map(
    (name) => figuresOf(damage([name], 1))?.generations['1']?.analytics,
  );
  expect(before?.expiries[0]?.years).toBeGreaterThan(0);
  expect(at?.expiries).toHaveLength((before?.expiries.length ?? 0) - 1);
  expect(at?.quality.dropped['expired']).toBe(before?.expiries[0]?.contracts);
});
