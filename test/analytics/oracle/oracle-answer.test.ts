import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { formatNumber, writeAnswer } from '#src/analytics/domain/oracle/answer-writer.ts';
import { checkAnswer } from '#src/analytics/domain/oracle/check-answer.ts';
import { ANSWER_CHECK, WRITTEN_ANSWER } from '#src/analytics/domain/oracle/oracle-schema.ts';
import type { ToolResult } from '#src/analytics/domain/oracle/tool.ts';
import { oracleTools } from '#src/analytics/domain/oracle/tools.ts';

const results: ToolResult[] = [
  {
    tool: 'gex',
    arguments: { symbol: 'SPX' },
    result: {
      as_of: '2026-11-20T21:00:00Z',
      exposures: { net_gex: -2_345_678_901, gex_abs: 8_000_000_000 },
      spot: 6012.5,
    },
  },
  { tool: 'regime', arguments: { symbol: 'SPX' }, result: { ngr: -0.2932, state: 'negative', sigma_d_pct: 1.25 } },
  {
    tool: 'levels',
    arguments: { symbol: 'SPX' },
    result: { call_wall: 6100, put_wall: 5900, flips: [{ level: 6034.27 }] },
  },
  {
    tool: 'portfolio_stress',
    arguments: { symbols: ['SPX'], scenarios: [{ spot_shock_pct: -3 }] },
    result: { pnl: 0 },
  },
];
const offences = (answer: string) => checkAnswer(answer, results).offences.map(({ text, reason }) => [text, reason]);

test.each([
  'Net GEX is -2.35 billion.',
  'Net GEX is -$2,345,678,901.',
  'Dealers are short 2.3bn of gamma.',
  'Gross gamma is $8 billion and the flip 6,034.',
  'The flip stands at 6034.3, the walls at 5,900 and 6,100.',
  'NGR is -0.29, which is -29 %.',
  'A day is 1.25 %.',
  'If it falls 3 %, nothing.',
  'As of 2026-11-20 21:00 the 0DTE options of the S&P 500 and the Russell 2000 are one thing.',
  'P&L is 0.',
  'Ｎｅｔ ＧＥＸ ｉｓ －2.35 billion',
  'No number at all.',
])('every number is in the results: %s', (answer) => {
  expect(offences(answer)).toEqual([]);
});

test.each<[string, string[]]>([
  ['Net GEX is 2.35 billion.', ['2.35 billion']],
  ['Net GEX is -2.36 billion.', ['-2.36 billion']],
  ['Net GEX is -2 billion.', ['-2 billion']],
  ['NGR is 0.', []],
  ['Sigma is 0 and the ratio 1.', ['1']],
  ['A day is 125 %.', ['125 %']],
  ['The flip is 6035.', ['6035']],
  ['The flip is 6034.2.', ['6034.2']],
  ['There are 42 walls.', ['42']],
  ['As of 2026-11-21.', ['2026-11-21']],
  ['At 16:00.', ['16:00']],
  ['It will fall three percent.', ['three percent']],
  ['It is worth two hundred million dollars.', ['two hundred million']],
  ['About ½ of it.', ['1', '2']],
  ['It is ٣ or ③ percent.', ['٣', '3 percent']],
  ['It is 6\u200b035.', ['6035']],
  ['Walls at 6100, 6200.', ['6200']],
])('error: a number that is in no result is found: %s', (answer, texts) => {
  expect(offences(answer).map(([text]) => text)).toEqual(texts);
});

test('the sign counts unless a word gives it, in the same sentence', () => {
  expect(offences('Dealers are short. They have 2.35 billion.')).toEqual([['2.35 billion', 'not_in_results']]);
  expect(offences('Dealers fell by 8.0 billion.')).toEqual([]);
  expect(offences('Put wall -5900.')).toEqual([['-5900', 'not_in_results']]);
});

test('a written answer cites the field of every number and passes its own check', () => {
  const { text, citations } = writeAnswer(results, oracleTools);
  expect(text).toContain('SPX: exposures net gex -2.346 billion [1]');
  expect(citations[0]).toEqual({ n: 1, tool: 'gex', call: 0, path: 'exposures.net_gex', value: -2_345_678_901 });
  // and the day and the minute of the one result that has an instant
  expect(checkAnswer(text, results, citations)).toMatchObject({ ok: true, checked: citations.length + 2 });
  expect(citations.length).toBeGreaterThan(4);
  expect(Value.Check(WRITTEN_ANSWER, { text, citations })).toBe(true);
  expect(Value.Check(ANSWER_CHECK, checkAnswer('It is 42.', results))).toBe(true);
});

test('with citations, a number must be the one cited, and a citation cannot vouch for a value', () => {
  const { citations } = writeAnswer(results, oracleTools);
  const check = (answer: string, given = citations) =>
    checkAnswer(answer, results, given).offences.map(({ reason }) => reason);
  expect(check('Net GEX -2.346 billion [1].')).toEqual([]);
  expect(check('Gross GEX 8.000 billion [1].')).toEqual(['not_the_cited_value']);
  expect(check('Net GEX -2.346 billion. See [1].')).toEqual(['no_citation']);
  expect(check('Net GEX -2.346 billion.')).toEqual(['no_citation']);
  expect(check('Net GEX -2.346 billion [99].')).toEqual(['unknown_citation']);
  expect(check('It is 42 [1].', [{ ...citations[0]!, value: 42 }])).toEqual(['not_the_cited_value']);
  expect(check('It is 42 [1].', [{ ...citations[0]!, path: 'made.up', value: 42 }])).toEqual(['unknown_citation']);
});

test('an answer to nothing says so', () => {
  expect(writeAnswer([], oracleTools).text).toBe('None of the analyses gave a result.');
  expect(writeAnswer([{ ...results[0]!, result: { net_gex: null } }], oracleTools).text).toBe(
    'SPX: gex gives no figure.',
  );
});

const finite = fc.double({ min: -1e300, max: 1e300, noNaN: true });

test('a number formatted is a number recognised, from the smallest double to 1e300', () => {
  fc.assert(
    fc.property(finite, (value) => {
      expect(checkAnswer(`It is ${formatNumber(value)}.`, [{ tool: 'x', arguments: {}, result: { value } }]).ok).toBe(
        true,
      );
    }),
    { numRuns: 1000 },
  );
});

test('whatever the tools answer, what is written passes its check', () => {
  const name = fc.constantFrom(
    'net_gex',
    'dsi',
    'p_1h',
    'percentile_252d',
    'flips',
    'call_wall',
    'x1',
    'sigma_d_pct',
    'short',
  );
  const tree = fc.letrec((tie) => ({
    node: fc.oneof({ depthSize: 'small' }, finite, fc.constant(null), fc.string(), tie('list'), tie('object')),
    list: fc.array(tie('node'), { maxLength: 3 }),
    object: fc.dictionary(name, tie('node'), { maxKeys: 4 }),
  })).object;
  const call = fc.record({
    tool: fc.constantFrom(...oracleTools.map((tool) => tool.name)),
    arguments: fc.constantFrom({ symbol: 'SPX' }, { symbols: ['SPX', 'QQQ'] }),
    result: tree,
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 4 }), (list) => {
      const { text, citations } = writeAnswer(list, oracleTools);
      expect(checkAnswer(text, list, citations), text).toMatchObject({ ok: true, checked: citations.length });
    }),
    { numRuns: 500 },
  );
});

test('an invented number is found whatever it is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10_000, max: 10 ** 9 }), (value) => {
      expect(checkAnswer(`The level is ${value.toLocaleString('en-US')}.`, results).ok).toBe(false);
    }),
  );
});
