import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { analyzeChain } from '#src/analytics/domain/analyze-chain.ts';
import { cleanChain } from '#src/analytics/domain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/read-chain.ts';
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

test('a chain of which more than a fifth cannot be used is degraded, and says so in both answers', () => {
  const whole = analyticsOf(BID_OF_CALL, '', () => false);
  expect(snapshotAnswer(whole).status).toBe('ok');
  // a call of five rows: a tenth of the contracts
  const tenth = analyticsOf(BID_OF_CALL, 'x', (row) => row % 5 === 0);
  expect(tenth.quality.dropped['bad_quote']).toBeGreaterThan(10);
  expect(snapshotAnswer(tenth).status).toBe('ok');
  const third = analyticsOf(BID_OF_CALL, 'x', (row) => row % 3 !== 0);
  const gex = JSON.parse(sectionAnswers(third, 'own').get('gex:1') ?? '');
  expect([snapshotAnswer(third).status, gex.status]).toEqual(['degraded_chain', 'degraded_chain']);
});

test('contracts that have expired weigh on nothing, however many they are', () => {
  const whole = analyticsOf(BID_OF_CALL, '', () => false);
  const quality = { ...whole.quality, dropped: { expired: 10 * whole.quality.contracts_used, duplicate: 1_000 } };
  expect(snapshotAnswer({ ...whole, quality }).status).toBe('ok');
});

test.each(Object.entries<Section>(sections))(
  'the answer of %s is what its schema says, no field more or less',
  (name, { data, title }) => {
    const answers = sectionAnswers(
      analyticsOf(BID_OF_CALL, '', () => false),
      'own',
    );
    const answer: unknown = JSON.parse(answers.get(answerField(name, '1')) ?? '');
    const check = Compile(enveloped(data, title));
    expect(check.Errors(answer)).toEqual([]);
    expect(check.Check(answer)).toBe(true);
  },
);
