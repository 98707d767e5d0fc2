import { expect, test } from 'vitest';
import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import type { RawChain } from '#src/analytics/domain/chain/raw-chain.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import { surfaceGrid } from '#src/analytics/domain/surface/surface-grid.ts';
import { sectionAnswers } from '#src/analytics/sections/section-answers.ts';
import { drawSvg } from '#src/commands/data/draw-svg.ts';
import { profilePicture } from '#src/commands/data/profile-picture.ts';
import { surfacePicture } from '#src/commands/data/surface-picture.ts';
import { palettes } from '#src/lib/charts/palette.ts';
import { surfacePlaces } from '#src/lib/charts/surface-option.ts';
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
  const surface = read('surface');
  const fitted = figures.surface.surface;
  // where the command asks for it
  if (fitted) surface.data = { ...surface.data, grid: surfaceGrid(fitted, surfacePlaces) };
  return { gex: read('gex'), surface };
}
const { gex, surface } = answersOf(wholeChain);
const profileOf = (answer: typeof gex) => drawSvg(profilePicture(answer, answer.data));
const surfaceOf = (answer: typeof surface) => drawSvg(surfacePicture(answer, answer.data));
const shown = (value: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(value) ? 0 : 2, maximumFractionDigits: 2 });

test('a profile names spot, every flip and both walls, its time, its units and that it is synthetic', () => {
  const picture = profileOf(gex);
  const { spot, flips, levels } = gex.data;
  expect(flips.flips.length).toBeGreaterThan(0);
  const words = [`Spot ${shown(spot)}`, `Call wall ${shown(levels.call_wall)}`, 'Put wall', shown(levels.put_wall)];
  for (const { level, direction } of flips.flips)
    words.push(`Flip ${direction === 'neg_to_pos' ? '− to +' : '+ to −'} at ${shown(level)}`);
  words.push('SPX gamma profile', gex.as_of.slice(0, 10), 'SYNTHETIC', '$ per +1 %', 'spot and strikes, points');
  words.push('dealers by generation 1', 'dealers damp moves', 'dealers amplify moves', 'calls by strike');
  words.push('puts by strike', 'expected range, 1 day', `primary flip at ${shown(flips.primary.level)}`);
  for (const word of words) expect(picture).toContain(word);
});

test('a profile without a flip or walls says so', () => {
  const { gex: bare } = answersOf(damage(['zero open interest'], 1));
  expect([bare.data.flips.primary, bare.data.levels.call_wall]).toEqual([null, null]);
  expect(profileOf(bare)).toContain(`no flip (${bare.data.flips.status}) · no walls`);
});

test('a flip far from spot is in the picture too', () => {
  const far = structuredClone(gex);
  far.data.flips.flips.push({ level: far.data.spot * 1.14, direction: 'pos_to_neg', slope: -1, expiries_driving: [] });
  expect(profileOf(far)).toContain(`Flip + to − at ${shown(far.data.spot * 1.14)}`);
});

test('a surface names its axes and their units, its time and that it is synthetic', () => {
  const picture = surfaceOf(surface);
  for (const word of [
    'SPX implied volatility surface',
    surface.as_of.slice(0, 10),
    'SYNTHETIC',
    'free of arbitrage: least g',
    'Log-moneyness ln(K/F)',
    'Days to expiry',
    '>Implied<',
    '>volatility<',
    '>per year<',
    ' %<',
    '>365 d<',
  ])
    expect(picture).toContain(word);
  // a cell for each place that was asked for; grounds of texts are seen through
  expect(picture.match(/<path [^>]*fill="rgb[^"]*"(?! fill-opacity="0")/g)).toHaveLength(31 * 37);
});

test('the same figures are the same bytes, whatever was drawn before', () => {
  const pictures = [profileOf(gex), surfaceOf(surface)];
  expect([profileOf(gex), surfaceOf(surface)]).toEqual(pictures);
  // names and classes counted since the process began would differ
  for (const picture of pictures) expect(picture).not.toMatch(/\bzr\d/);
});

test('a picture brings nothing from elsewhere, runs nothing, and shows texts as texts', () => {
  const symbol = '<script>alert("&")</script>';
  for (const picture of [profileOf({ ...gex, symbol }), surfaceOf({ ...surface, symbol })]) {
    expect(picture).toContain('&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;');
    expect(picture).not.toMatch(
      /<(script|image|foreignObject|use|a|link)\b|@import|@font-face|\son\w+=|href=|url\((?!#)/i,
    );
  }
});

test('a picture is told in words, and has a dark colour for each of its own where a page is dark', () => {
  const picture = profileOf(gex);
  expect(picture).toMatch(/^<svg role="img" aria-label="SPX gamma profile\. [^"]*SYNTHETIC[^"]*" /);
  const rules = new Set([...picture.matchAll(/\[((?:fill|stroke)="[^"]+")\]\{/g)].map(([, one]) => one));
  expect(rules).toContain(`fill="${palettes.light.ground}"`);
  const drawn = picture
    .slice(picture.indexOf('</style>'))
    .split('\n')
    // what cuts the others off, and grounds of texts that are not there, are not seen
    .filter((line) => !/fill="#000"|fill-opacity="0"/.test(line))
    .flatMap((line) => [...line.matchAll(/ ((?:fill|stroke)="(?!none)[^"]+")/g)].map(([, one]) => one));
  expect(drawn.length).toBeGreaterThan(50);
  expect(drawn.filter((one) => !rules.has(one))).toEqual([]);
});

test.each([
  'zero open interest',
  'open interest in one contract',
  'one strike of each expiry',
  'one expiry',
  'spot far off its strikes',
])('%s is drawn without a number that is none', (name) => {
  const damaged = answersOf(damage([name], 1));
  const pictures = [profileOf(damaged.gex), ...(damaged.surface.data === null ? [] : [surfaceOf(damaged.surface)])];
  for (const picture of pictures) {
    expect(picture).not.toMatch(/NaN|Infinity|undefined/);
    // every element is closed, and no text opens one
    const open = picture.match(/<[a-zA-Z]+(?:"[^"]*"|[^>"])*>/g)?.length;
    expect(picture.match(/<\/[a-zA-Z]+>/g)).toHaveLength(open ?? 0);
  }
});
