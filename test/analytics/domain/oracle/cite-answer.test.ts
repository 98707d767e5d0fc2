import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatNumber } from '#src/analytics/domain/oracle/answer-writer.ts';
import { citeAnswer } from '#src/analytics/domain/oracle/cite-answer.ts';
import type { ToolResult } from '#src/analytics/domain/oracle/tool.ts';

const results: ToolResult[] = [
  {
    tool: 'gex',
    arguments: { symbol: 'SPX' },
    result: { net_gex: -2_345_678_901, gex_abs: 8_000_000_000, spot: 6034 },
  },
  {
    tool: 'levels',
    arguments: { symbol: 'SPX' },
    result: { flip: 6034.27, call_wall: 6100, expected_move_1d: 62.7, as_of: '2026-11-20T21:00:00Z' },
  },
  { tool: 'levels', arguments: { symbol: 'QQQ', generation: 42 }, result: { call_wall: 6100, vol: 0.153 } },
];
const cite = (text: string) => citeAnswer(text, results, ['2026-11-21T15:00:00Z']);

test('each number is marked with the field whose name its sentence says', () => {
  const { text, citations, offences } = cite(
    'Dealers are short $2.35bn of gamma per 1% in the S&P 500; the flip is 6,034. QQQ has its call wall at 6100 and a vol of 15.3%. The SPX call wall is 6100, too.',
  );
  expect(offences).toEqual([]);
  expect(text).toBe(
    'Dealers are short $2.35bn [1] of gamma per 1% in the S&P 500; the flip is 6,034 [2]. QQQ has its call wall at 6100 [3] and a vol of 15.3% [4]. The SPX call wall is 6100 [5], too.',
  );
  expect(citations.map(({ call, path }) => [call, path])).toEqual([
    [0, 'net_gex'],
    [1, 'flip'],
    [2, 'call_wall'],
    [2, 'vol'],
    [1, 'call_wall'],
  ]);
});

test.each([
  'The expected 1-day move is 62.7 points.',
  'As of 2026-11-20 21:00, and of 2026-11-21, one of the 0DTE books is near zero gamma in generation 2.',
  '1. The flip is 6034.3.\n2) The wall is 6100 [9].',
  'No number at all.',
])('what is in the results is no offence: %s', (text) => {
  expect(cite(text).offences).toEqual([]);
});

test.each([
  'It is 42.',
  'It is [4[1]2].',
  'It is ４２.',
  'It is ④②.',
  'It is ٤٢.',
  'It is forty-two.',
  'It is a dozen, doubled.',
  'It is four or two.',
  'It is SPX42.',
  'It is 4.2e1.',
  'The 42-day move is 62.7.',
  'Net GEX is 2.35 billion.',
  'As of 2026-11-22.',
  'It is\n42. And more.\nIt is 42',
  'İt is 42.',
])('error: a number that no result has is found, however it is written: %j', (text) => {
  expect(cite(text).offences.length).toBeGreaterThan(0);
});

test.each(['It is [42].', 'It is [[42]].', 'It is ［42］.', 'It is [4\u200b2].'])(
  'a mark that the draft brings along is taken away, and a number in it, too: %j',
  (text) => {
    expect(cite(text)).toMatchObject({ offences: [], citations: [], text: expect.not.stringMatching(/\d/) });
  },
);

test('whatever value a result has, it may be written as the rules write it, and no other number may', () => {
  const value = fc.double({ min: -1e15, max: 1e15, noNaN: true });
  fc.assert(
    fc.property(value, value, (one, other) => {
      const only = [{ tool: 'x', arguments: {}, result: { value: one } }];
      expect(citeAnswer(`It is ${formatNumber(one)}.`, only, []).citations).toHaveLength(1);
      fc.pre(Math.abs(one - other) > 0.05 * Math.abs(one));
      expect(citeAnswer(`It is ${other.toFixed(6)}.`, only, []).offences).toHaveLength(1);
    }),
  );
});
