import { expect, test } from 'vitest';
import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import type { RawChain } from '#src/analytics/domain/chain/raw-chain.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import { sectionAnswers } from '#src/analytics/sections/section-answers.ts';
import { profilePicture } from '#src/commands/data/profile-picture.ts';
import { surfacePicture } from '#src/commands/data/surface-picture.ts';
import { ticks } from '#src/commands/data/svg.ts';
import { damage, wholeChain } from '#test/analytics/damaged-chains.ts';

/** The answers of a chain, as a client gets them. */
function answersOf(chain: RawChain) {
  const figures = marketFigures({
    chain: cleanChain(chain),
    advUsd: 400e9,
    session: sessionOf('2026-11-20'),
    realisedVolatility: null,
    open: null,
    flow: null,
  });
  const answers = sectionAnswers(figures, 'own');
  const read = (section: string) => JSON.parse(answers.get(`${section}:1`) ?? '');
  return { gex: read('gex'), surface: read('surface') };
}
const { gex, surface } = answersOf(wholeChain);
const round = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

test('a profile names spot, every flip and both walls, its time, its units and that it is synthetic', () => {
  const picture = profilePicture(gex, gex.data);
  const { spot, flips, levels } = gex.data;
  expect(flips.flips.length).toBeGreaterThan(0);
  const words = [spot, levels.call_wall, levels.put_wall].map(round);
  words.push(...flips.flips.map(({ level }: { level: number }) => `flip ${round(level)}`));
  words.push('SPX gamma profile', gex.as_of.slice(0, 10), 'SYNTHETIC', '$bn per +1 %', 'Spot and strikes, points');
  for (const word of words) expect(picture).toContain(word);
});

test('a surface names its axes and their units, its time and that it is synthetic', () => {
  const picture = surfacePicture(surface, surface.data);
  for (const word of [
    'SPX implied volatility surface',
    surface.as_of.slice(0, 10),
    'SYNTHETIC',
    'Log-moneyness ln(K/F)',
    'Days to expiry',
    'Implied volatility, per year',
    ' %<',
  ])
    expect(picture).toContain(word);
  // one cell a place of the mesh, behind and before
  expect(picture.match(/<path [^>]*fill="rgb/g)).toHaveLength(40 * 32);
});

test.each([
  'zero open interest',
  'open interest in one contract',
  'one strike of each expiry',
  'one expiry',
  'spot far off its strikes',
])('%s is drawn without a number that is none', (name) => {
  const damaged = answersOf(damage([name], 1));
  const pictures = [
    profilePicture(damaged.gex, damaged.gex.data),
    ...(damaged.surface.data === null ? [] : [surfacePicture(damaged.surface, damaged.surface.data)]),
  ];
  for (const picture of pictures) {
    expect(picture).not.toMatch(/NaN|Infinity|undefined/);
    // every element is closed, and no text opens one
    const open = picture.match(/<[a-z]+[^>/]*(?:"[^"]*"[^>/]*)*>/g)?.length;
    expect(picture.match(/<\/[a-z]+>/g)).toHaveLength(open ?? 0);
  }
});

test('ticks are round numbers within their ends', () => {
  expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticks(-0.13, 0.21, 4)).toEqual([-0.1, 0, 0.1, 0.2]);
  expect(ticks(7163, 8407, 8)).toEqual([7200, 7400, 7600, 7800, 8000, 8200, 8400]);
});
