import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { analyzeChain } from '#src/analytics/domain/analyze-chain.ts';
import { cleanChain } from '#src/analytics/domain/clean-chain.ts';
import { sessionOf } from '#src/analytics/domain/exchange-calendar.ts';
import { generationNames } from '#src/analytics/domain/generation-names.ts';
import { marketFigures } from '#src/analytics/domain/market-figures.ts';
import { readChain } from '#src/analytics/domain/read-chain.ts';
import { orNull } from '#src/analytics/domain/schema-parts.ts';
import { enveloped } from '#src/analytics/envelope.ts';
import { sectionAnswers } from '#src/analytics/section-answers.ts';
import { answerField, type Section, sections } from '#src/analytics/sections.ts';
import { snapshotAnswer } from '#src/analytics/snapshot-data.ts';
import { csv } from './chain-text.ts';

/** The analytics of the generated chain, the cells of a column replaced in every row that `picks`. */
function analyticsOf(column: number, value: string, picks: (row: number) => boolean) {
  const lines = csv.split('\n').map((line, index) => {
    const row = index - 3;
    if (row < 0 || line === '' || !picks(row)) return line;
    return line.split(',').with(column, value).join(',');
  });
  return analyzeChain(cleanChain(readChain(lines.join('\n'), 'SPX')), { advUsd: 400e9 });
}

const BID_OF_CALL = 4;

test('a chain of which more than a fifth cannot be used is degraded, and says so', () => {
  const whole = analyticsOf(BID_OF_CALL, '', () => false);
  expect(snapshotAnswer(whole).status).toBe('ok');
  // a call of five rows: a tenth of the contracts
  const tenth = analyticsOf(BID_OF_CALL, 'x', (row) => row % 5 === 0);
  expect(tenth.quality.dropped['bad_quote']).toBeGreaterThan(10);
  expect(snapshotAnswer(tenth).status).toBe('ok');
  const third = analyticsOf(BID_OF_CALL, 'x', (row) => row % 3 !== 0);
  expect(snapshotAnswer(third).status).toBe('degraded_chain');
});

test('contracts that have expired weigh on nothing, however many they are', () => {
  const whole = analyticsOf(BID_OF_CALL, '', () => false);
  const quality = { ...whole.quality, dropped: { expired: 10 * whole.quality.contracts_used, duplicate: 1_000 } };
  expect(snapshotAnswer({ ...whole, quality }).status).toBe('ok');
});

const facts = {
  advUsd: 400e9,
  session: sessionOf('2026-11-20'),
  realisedVolatility: 0.15,
  open: null,
  flow: null,
};
const answers = sectionAnswers(marketFigures({ ...facts, chain: cleanChain(readChain(csv, 'SPX')) }), 'own');

test.each(Object.entries<Section>(sections))(
  '%s answers what its schema says under every generation',
  (name, { data, title }) => {
    const check = Compile(enveloped(orNull(data), title));
    for (const generation of generationNames) {
      const answer: unknown = JSON.parse(answers.get(answerField(name, generation)) ?? '');
      expect(check.Errors(answer)).toEqual([]);
      expect(check.Check(answer)).toBe(true);
      // signals are made of what changes, not of one chain
      if (name === 'signals') expect(answer).toMatchObject({ status: 'no_history', data: null });
      // without a tape nothing is said of what signed trades have left
      else if (generation === '3' && name !== 'surface')
        expect(answer).toMatchObject({ status: 'no_trade_tape', data: null });
      else expect(answer).toMatchObject({ data: expect.any(Object) });
    }
  },
);

test('an answer says of which generation it is, and a generation that states an error gives it', () => {
  const of = (generation: string) => JSON.parse(answers.get(answerField('gex', generation)) ?? '');
  expect([of('1').generation, of('2').generation, of('ensemble').generation]).toEqual([1, 2, 'ensemble']);
  expect(of('1').data.estimate.sd).toBeNull();
  expect(of('2').data.estimate.sd).toBeGreaterThan(0);
  expect(of('2').data.net_gex).toBeCloseTo(of('2').data.estimate.value, -3);
});
