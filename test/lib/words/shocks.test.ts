import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readShocks } from '#src/lib/words/shocks.ts';
import { plainGoal, tokenize } from '#src/lib/words/tokens.ts';
import { leftOver } from '#src/missions/domain/goal/left-over.ts';
import { phrases } from './phrases.ts';
import { shortShocks } from './short-shocks.ts';

function read(phrase: string) {
  const text = plainGoal(phrase);
  const tokens = tokenize(text);
  const { groups, used, unread, notes } = readShocks(tokens);
  const shocks = groups
    .filter(({ scenarios }) => scenarios.length > 0)
    .map(({ symbols, scenarios }) => `${symbols.length > 0 ? `${symbols.join('+')}: ` : ''}${shortShocks(scenarios)}`);
  const open = new Set(unread.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n)));
  const left = leftOver(text, tokens, used, open).map((one) => one.text);
  return {
    shocks: shocks.join('; '),
    left: left.join(' | '),
    why: unread.map((one) => one.why).join('; '),
    notes,
    groups,
  };
}

const rows = phrases.map(([first, second, left = '']): [string, string, string] => [first, second, left]);

test('the table holds enough phrases, each once', () => {
  expect(phrases.length).toBeGreaterThanOrEqual(60);
  expect(new Set(phrases.map(([phrase]) => phrase)).size).toBe(phrases.length);
});

test.each(rows)('%s', (phrase, shocks, left) => {
  expect(read(phrase)).toMatchObject({ shocks, left });
});

test.each([
  ['a 3 sigma down move', 'depends on a volatility and a time'],
  ['rates rise 50 bps', 'only spot and volatility'],
  ['drops 2,5%', 'read in two ways'],
  ['drops 3-5%', 'more than one size'],
  ['by 5%', 'up or down'],
  ['SPX will not fall 5%', '“not” is before it'],
  ['-3%, -5% and vol +20%', 'any of several shocks'],
  ['drops 250%', 'outside -100 to 1000'],
])('error: %s cannot be run, and the reason is said', (phrase, why) => {
  expect(read(phrase).why).toContain(why);
});

test('what is assumed is said', () => {
  expect(read('drops 3 and vol rises 10').notes).toEqual([
    '3 without a unit was taken as percent',
    '10 without a unit was taken as percent of volatility',
  ]);
  expect(read('drops 2% tomorrow').notes).toEqual(['“tomorrow” is taken as one day that passes']);
});

const size = fc.integer({ min: 1, max: 99 });
const subject = fc.constantFrom('spot', 'SPX', 'the market', 'vol', 'IV', 'rates', 'gamma', 'oil');
const verb = fc.constantFrom('falls', 'drops', 'rises', 'rallies', 'is down', 'is up', 'will not fall', 'goes to');
const unit = fc.constantFrom('%', ' percent', ' points', ' bps', ' sigma', ' vol points', '');
const joint = fc.constantFrom(' and ', ', ', ' or ', ' while ', '; ', ' then ');

test('every number of a phrase is in a shock or left over, and none is in both', () => {
  const part = fc.tuple(subject, verb, size, unit).map(([s, v, n, u]) => ({ text: `${s} ${v} ${n}${u}`, n }));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), joint, (parts, between) => {
      const { groups, left } = read(parts.map(({ text }) => text).join(between));
      const inShocks = groups
        .flatMap(({ scenarios }) => scenarios.flatMap((shock) => Object.values(shock)))
        .filter((value) => typeof value === 'number');
      for (const { n } of parts) {
        const isShocked = inShocks.some((value) => Math.abs(value) === n || Math.abs(value) === n / 100);
        expect([isShocked, left.split(/[^\d.]+/).includes(String(n))]).toContain(true);
      }
      const leftNumbers = left.match(/\d+/g)?.length ?? 0;
      expect(inShocks.length + leftNumbers).toBeGreaterThanOrEqual(parts.length);
    }),
  );
});

test('any text is read in time that grows with its length, and no shock is without a size that is a number', () => {
  const words = fc.constantFrom(
    'SPX',
    'vol',
    'down',
    'up',
    '3',
    '%',
    'points',
    'to',
    'half',
    'between',
    'and',
    ',',
    '-5',
    '1e9',
    'doubles',
    'in',
    'days',
    'not',
  );
  const phrase = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.array(words, { maxLength: 20 }).map((list) => list.join(' ')),
  );
  fc.assert(
    fc.property(phrase, (text) => {
      for (const { scenarios } of read(text).groups)
        for (const { spot_side: _side, days: _days, ...sizes } of scenarios) {
          expect(Object.values(sizes).length).toBeGreaterThan(0);
          expect(Object.values(sizes).every(Number.isFinite)).toBe(true);
        }
    }),
  );
  expect(read('drops 3% and vol up 10, '.repeat(1_000)).groups[0]?.scenarios).toHaveLength(1_000);
});
