import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { backtest } from '#src/analytics/domain/history/backtest.ts';
import { BACKTEST, ruleNames } from '#src/analytics/domain/history/backtest-schema.ts';
import { type HistoryRow, intervals } from '#src/analytics/domain/history/history-row.ts';
import { historyStudy } from '#src/analytics/domain/history/history-study.ts';
import { HISTORY_STUDY } from '#src/analytics/domain/history/history-study-schema.ts';
import type { RegimeState } from '#src/analytics/domain/regime/regime.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { BACKTEST_VIEW, backtestView } from '#src/analytics/history/backtest-view.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5, 21, 0);

/** Sessions whose moves grow by `effect` where NGR, known at the close, is negative. */
function market(seed: string, count: number, effect: number): HistoryRow[] {
  const random = randomStream(seed);
  let [spot, ngr] = [6000, 0];
  return Array.from({ length: count }, (_, i) => {
    spot *= Math.exp(0.008 * Math.exp(-effect * ngr) * random.normal());
    ngr = Math.tanh(0.8 * Math.atanh(ngr) + 0.3 * random.normal());
    const as_of = START + i * DAY;
    return {
      session: new Date(as_of).toISOString().slice(0, 10),
      as_of,
      knowledge_time: as_of,
      spot,
      ngr,
      dsi_raw_share: 0.05 * ngr + 0.01 * random.normal(),
      regime: regimeOf(ngr),
      flip: spot * (1 - 0.02 * ngr),
      call_wall: spot * 1.01,
      put_wall: spot * 0.99,
      atm_volatility: 0.14,
    };
  });
}

function regimeOf(ngr: number): RegimeState {
  if (Math.abs(ngr) <= 0.1) return 'transition';
  if (ngr > 0) return ngr > 0.35 ? 'strong_positive' : 'positive';
  return ngr < -0.35 ? 'strong_negative' : 'negative';
}

test('an interval knows what was published by its start, and nothing published after', () => {
  const [a, b, c, d] = market('k', 4, 0) as [HistoryRow, HistoryRow, HistoryRow, HistoryRow];
  const late = intervals([a, b, c, d].map((row) => ({ ...row, knowledge_time: row.as_of + 1 })));
  expect(late.map(({ known }) => known?.session ?? null)).toEqual([null, a.session, b.session]);
  expect(intervals([d, b, a, c]).map(({ known }) => known)).toEqual([a, b, c]);
  expect(intervals([a, b])[0]!.return).toBeCloseTo(Math.log(b.spot / a.spot), 14);
});

test('of several instants of a session the last is its price, of several versions the first; old figures are dropped', () => {
  const [a, b] = market('v', 2, 0) as [HistoryRow, HistoryRow];
  const noon = { ...b, as_of: b.as_of - 4 * 3_600_000, knowledge_time: b.as_of - 4 * 3_600_000, spot: 1 };
  const revised = { ...b, knowledge_time: b.knowledge_time + 1, spot: 2 };
  expect(intervals([revised, noon, a, b])).toHaveLength(1);
  expect(intervals([revised, noon, a, b])[0]!.to).toBe(b.spot);
  const next = { ...b, session: '2026-02-01', as_of: b.as_of + 6 * DAY, knowledge_time: b.as_of + 9 * DAY };
  const after = { ...next, session: '2026-02-02', as_of: next.as_of + DAY };
  expect(intervals([a, b, next, after]).map(({ known }) => known?.session ?? null)).toEqual([
    a.session,
    b.session,
    null,
  ]);
  expect(intervals([{ ...a, spot: Number.NaN }, b])).toEqual([]);
});

test('a true effect of gamma on the next move is found by every test of it, with the right sign', () => {
  const found = historyStudy(market('effect', 500, 1), { seed: 's', draws: 200 });
  const [ngr, dsi] = found.regressions;
  expect(ngr!.upper).toBeLessThan(0);
  expect(ngr!.deflated_p).toBeLessThan(0.01);
  expect(ngr!.permutation_p).toBeLessThan(0.02);
  expect(dsi!.slope).toBeLessThan(0);
  expect(found.negative_over_positive.lower).toBeGreaterThan(1);
  expect(found.negative_over_positive.p).toBeLessThan(0.02);
  const volatility = found.regime_volatility.map((row) => row.volatility!);
  expect(volatility[0]).toBeLessThan(volatility[4]!);
  expect(Value.Check(HISTORY_STUDY, found)).toBe(true);
});

test('without an effect, 5 % deflated seldom rejects anything at all', () => {
  const wrong = Array.from({ length: 60 }, (_, i) =>
    historyStudy(market(`null ${i}`, 130, 0), { seed: `${i}`, draws: 60 }),
  )
    .map(({ regressions, hits, negative_over_positive }) => [...regressions, ...hits, negative_over_positive])
    .filter((rows) => rows.some(({ deflated_p }) => deflated_p !== null && deflated_p <= 0.05));
  expect(wrong.length).toBeLessThanOrEqual(9);
});

test('the number of tests is that of the p-values, and each is corrected upwards', () => {
  const { tests, regressions, negative_over_positive, hits } = historyStudy(market('t', 200, 0), {
    seed: 't',
    draws: 100,
  });
  const rows = [...regressions, negative_over_positive, ...hits];
  expect(tests).toBe(rows.filter(({ p }) => p !== null).length);
  expect(tests).toBe(5);
  for (const { p, deflated_p } of rows) if (p !== null) expect(deflated_p).toBeGreaterThanOrEqual(p);
});

test('walls and sides of the flip are counted from closes', () => {
  const rows = market('h', 100, 0);
  const { hits } = historyStudy(rows, { seed: 'h', draws: 20 });
  const held = rows.slice(1).filter(({ spot }, i) => spot <= rows[i]!.call_wall!).length;
  expect(hits.find(({ name }) => name === 'call_wall_held')).toMatchObject({ hits: held, trials: 99 });
});

test('59 intervals are too few, and the answer says how many are needed', () => {
  const study = historyStudy(market('few', 60, 1), { seed: 's' });
  expect(study).toMatchObject({
    status: 'insufficient_history',
    needed: 60,
    present: 59,
    regressions: [],
    hits: [],
    tests: 0,
  });
  expect(historyStudy(market('few', 61, 1), { seed: 's', draws: 10 }).status).toBe('ok');
  expect(Value.Check(HISTORY_STUDY, study)).toBe(true);
  expect(Value.Check(HISTORY_STUDY, historyStudy([], { seed: 's' }))).toBe(true);
  const tested = backtest(market('few', 60, 1), { seed: 's', rules: ruleNames });
  expect(tested).toMatchObject({ status: 'insufficient_history', present: 59, rules: [] });
});

test('unknown figures leave nulls, not NaN', () => {
  const blank = { ngr: null, dsi_raw_share: null, regime: null, flip: null, call_wall: null, put_wall: null };
  const rows = market('blank', 90, 0).map((row) => ({ ...row, ...blank, atm_volatility: null }));
  const study = historyStudy(rows, { seed: 's', draws: 20 });
  expect(study).toMatchObject({ status: 'ok', tests: 0, negative_over_positive: { ratio: null, p: null } });
  expect(Value.Check(HISTORY_STUDY, study)).toBe(true);
  const tested = backtest(rows, { seed: 's', rules: ruleNames, draws: 20 });
  expect(Value.Check(BACKTEST, tested)).toBe(true);
  expect(tested.rules.map(({ active }) => active)).toEqual([0, 0, 0, 0, 89]);
});

test('always long earns the sum of returns less one entry, and draws down as the path does', () => {
  const spots = [100, 110, 99, 99, 108.9];
  const rows = market('a', 80, 0).map((row, i) => ({ ...row, spot: spots[Math.min(i, 4)]! }));
  const { rules } = backtest(rows, { seed: 'a', rules: ['always_long'], costBps: 10, draws: 20 });
  expect(rules[0]!.total_return).toBeCloseTo(0.1 - 0.1 + 0 + 0.1 - 0.001, 12);
  expect(rules[0]!.max_drawdown).toBeCloseTo(0.1, 12);
  expect(rules[0]).toMatchObject({ trades: 1, costs: 0.001, active: 79, hits: 2, p: null });
});

test('a straddle earns |r| less its fair price and cost', () => {
  const rows = market('s', 80, 0).map((row, i) => ({ ...row, ngr: i === 70 ? -0.2 : 0, spot: i > 70 ? 102 : 100 }));
  const { rules } = backtest(rows, {
    seed: 's',
    rules: ['long_volatility_negative_gamma'],
    straddleCostBps: 5,
    draws: 20,
  });
  const fair = (Math.sqrt(2 / Math.PI) * 0.14) / Math.sqrt(252);
  expect(rules[0]!.total_return).toBeCloseTo(0.02 - fair - 0.0005, 12);
  expect(rules[0]).toMatchObject({ active: 1, trades: 1, hits: 1 });
});

test('momentum and reversion take the sign of the last return, and costs follow what changes', () => {
  const returns = [0.01, 0.01, -0.01, 0.01];
  let spot = 100;
  const rows = market('m', 80, 0).map((row, i) => {
    spot *= 1 + (returns[i - 70] ?? 0);
    return { ...row, spot, ngr: i >= 70 && i < 74 ? -0.5 : 0 };
  });
  const [momentum] = backtest(rows, { seed: 'm', rules: ['momentum_negative_gamma'], costBps: 1, draws: 20 }).rules;
  // Decided at 70, 71, 72 and 73 by the returns into them: +, +, −, + held into 71 … 74.
  expect(momentum!.curve.slice(70, 74).map(({ position }) => position)).toEqual([1, 1, -1, 1]);
  expect(momentum!.total_return).toBeCloseTo(0.01 - 0.01 - 0.01 + 0 - (1 + 2 + 2 + 1) * 1e-4, 12);
});

test('whatever the future holds, no decision before it changes', () => {
  const rows = market('future', 120, 0.5).map((row, i) => ({
    ...row,
    knowledge_time: row.as_of + (i % 3) * 7_000_000,
  }));
  const decisions = (list: readonly HistoryRow[], until: number) =>
    backtest(list, { seed: 'x', rules: ruleNames, draws: 1 }).rules.map(({ curve }) =>
      curve.filter(({ decided_at }) => decided_at <= until).map(({ decided_at, position }) => [decided_at, position]),
    );
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 118 }), fc.string(), (cut, seed) => {
      const now = rows[cut]!.as_of;
      const random = randomStream(seed);
      // The price at the cut is known; its figures are, unless they are published later; all after is another world.
      const other = rows.map((row, i) => {
        if (row.knowledge_time <= now) return row;
        const spot = i <= cut ? row.spot : row.spot * Math.exp(random.normal());
        const ngr = Math.tanh(random.normal());
        return { ...row, spot, ngr, flip: spot * (1 + 0.1 * random.normal()), atm_volatility: random.uniform() };
      });
      expect(decisions(other, now)).toEqual(decisions(rows, now));
      const shuffled = other.toSorted((a, b) => (a.as_of > now && b.as_of > now ? b.spot - a.spot : a.as_of - b.as_of));
      expect(decisions(shuffled, now)).toEqual(decisions(rows, now));
    }),
    { numRuns: 40 },
  );
});

test('the same seed gives the same study and backtest, which fit their schemas', () => {
  const rows = market('same', 150, 0.3);
  const run = () => [
    historyStudy(rows, { seed: 'one', draws: 50 }),
    backtest(rows, { seed: 'one', rules: ruleNames, draws: 50 }),
  ];
  expect(run()).toEqual(run());
  expect(Value.Check(BACKTEST, run()[1])).toBe(true);
});

test('the instants of a backtest are answered as text, and all else as it was found', () => {
  const stored = backtest(market('view', 90, 0), { seed: 'view', rules: ['always_long'], draws: 1 });
  const shown = backtestView(stored);
  expect(Compile(BACKTEST_VIEW).Check(shown)).toBe(true);
  const [before, after] = [stored.rules[0]!.curve, shown.rules[0]!.curve];
  expect(after.length).toBeGreaterThan(50);
  expect(after[0]!.decided_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(after.map((point) => ({ ...point, decided_at: Date.parse(point.decided_at) }))).toEqual(before);
});
