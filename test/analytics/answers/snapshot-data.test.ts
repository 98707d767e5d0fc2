import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { enveloped, statuses } from '#src/analytics/answers/envelope.ts';
import { answerField, type Section, sections } from '#src/analytics/answers/sections.ts';
import { snapshotAnswer } from '#src/analytics/answers/snapshot-data.ts';
import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import { applyTrades } from '#src/analytics/domain/positions/apply-trades.ts';
import { generationNames } from '#src/analytics/domain/positions/dealer-positions.ts';
import { openFlow } from '#src/analytics/domain/positions/flow-days.ts';
import { orNull } from '#src/analytics/domain/schema-parts.ts';
import { sectionAnswers, signalAnswers } from '#src/analytics/sections/section-answers.ts';
import { csv } from '#test/analytics/chain-text.ts';
import { trade } from '#test/analytics/flow-fixture.ts';
import { symbolsOf } from '#test/analytics/synthetic.ts';

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
const chain = cleanChain(readChain(csv, 'SPX'));
const answers = sectionAnswers(marketFigures({ ...facts, chain }), 'own');
const dataOf = (section: string, generation: string) =>
  JSON.parse(answers.get(answerField(section, generation)) ?? '').data;

test.each(Object.entries<Section>(sections))(
  'every status that the data of %s can have is one of the statuses that answers have',
  (_name, { data }) => {
    const status = (data as { readonly properties?: { readonly status?: { readonly enum?: readonly string[] } } })
      .properties?.status;
    if (!status) return;
    expect(status.enum?.length).toBeGreaterThan(0);
    expect(statuses).toEqual(expect.arrayContaining([...(status.enum ?? [])]));
  },
);

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

test('flips come by bucket of expiries, and all of them are those of the whole book', () => {
  for (const generation of ['1', '2', 'ensemble']) {
    const { flips, flips_by_bucket } = dataOf('gex', generation);
    expect(flips_by_bucket).toMatchObject({ vol_regime: 'sticky_strike', all: { flips } });
    expect(flips_by_bucket.week.gex_abs).toBeLessThanOrEqual(flips_by_bucket.all.gex_abs);
    expect(flips_by_bucket.all.expiries).toBe(chain.expiries.length);
    expect(dataOf('levels', generation).flips).toEqual(flips);
  }
});

test.each(['2', 'ensemble'])('levels of generation %s say where its own flip may be', (generation) => {
  const { flip, flip_interval: interval } = dataOf('levels', generation);
  expect(interval).toMatchObject({ method: 'shift', flip, generation: generation === '2' ? 2 : generation });
  expect(interval.status).not.toBe('no_sd');
  if (interval.low !== null) expect(interval.low).toBeLessThanOrEqual(flip);
  if (interval.high !== null) expect(interval.high).toBeGreaterThanOrEqual(flip);
});

test('the convention states no error, so its flip has no interval, and the answer says why', () => {
  const { flip, flip_interval } = dataOf('levels', '1');
  expect(flip_interval).toMatchObject({ generation: 1, flip, status: 'no_sd', low: null, high: null });
});

test('the gamma of each strike has an error where the generation states one, and sums to the whole', () => {
  const { gex_by_strike, estimate, dex_estimate } = dataOf('gex', '2');
  const sum = gex_by_strike.reduce((total: number, { gex }: { gex: number }) => total + gex, 0);
  expect(sum / estimate.value).toBeCloseTo(1, 9);
  for (const { sd, p_positive } of gex_by_strike) {
    expect(sd).toBeGreaterThanOrEqual(0);
    expect(Math.abs(p_positive - 0.5)).toBeLessThanOrEqual(0.5);
  }
  expect(dex_estimate.sd).toBeGreaterThan(0);
  expect(dataOf('gex', '1').gex_by_strike[0]).toMatchObject({ sd: null, p_positive: null });
});

test('an answer says how new each feed behind it is; an overlay without tapes is no measurement', () => {
  const darkpool = JSON.parse(answers.get(answerField('darkpool', '1')) ?? '');
  expect(darkpool).toMatchObject({ status: 'no_tapes', data: { dpi: null, gci: null, last_print: null } });
  expect(darkpool.data_as_of).toEqual({ chain: chain.asOf });
  const symbols = symbolsOf(chain);
  const openInterest = new Map(symbols.map((symbol, i) => [symbol, chain.columns.openInterest[i]!]));
  const at = Date.parse(chain.asOf) - 3_600_000;
  const opened = openFlow({ date: chain.asOf.slice(0, 10), at, openInterest });
  const time = at + 60_000;
  const traded = applyTrades(
    opened,
    [
      {
        ...trade({ time, price: 1, bid: 0.9, ask: 1.1 }),
        contract: symbols.find((_, i) => chain.columns.openInterest[i]! > 0)!,
      },
    ],
    { asOf: Date.parse(chain.asOf) },
  );
  const taped = sectionAnswers(marketFigures({ ...facts, chain, flow: traded }), 'configured');
  const feedsOf = (section: string, generation: string) =>
    JSON.parse(taped.get(answerField(section, generation)) ?? '').data_as_of;
  const both = { chain: chain.asOf, trade_tape: new Date(time).toISOString() };
  expect([feedsOf('gex', '1'), feedsOf('surface', '3')]).toEqual([{ chain: chain.asOf }, { chain: chain.asOf }]);
  expect([feedsOf('gex', '2'), feedsOf('vcm', '3'), feedsOf('levels', '1')]).toEqual([
    both,
    both,
    { chain: chain.asOf },
  ]);
});

test('signals are as good as the chain that they were last made of, and say so', () => {
  const { analytics } = marketFigures({ ...facts, chain }).generations['1']!;
  const statusOf = (quality: typeof analytics.quality) =>
    JSON.parse(signalAnswers({ ...analytics, quality }, { current: [], recent: [] }).get('signals:1') ?? '').status;
  expect(statusOf(analytics.quality)).toBe('ok');
  expect(statusOf({ ...analytics.quality, dropped: { crossed: 1e6 } })).toBe('degraded_chain');
});
