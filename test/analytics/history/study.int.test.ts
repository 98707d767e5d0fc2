import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { previousTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';
import { newYorkInstant } from '#src/analytics/domain/calendar/time.ts';
import type { SnapshotFigures } from '#src/analytics/domain/figures/snapshot-schema.ts';
import { initialSignalState } from '#src/analytics/domain/signals/signals.ts';
import type { Signal } from '#src/analytics/domain/signals/signals-schema.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { storeSnapshot } from '#src/analytics/history/history-store.ts';
import { marketName, publishLive } from '#src/analytics/live/publish-live.ts';
import { signalsField } from '#src/analytics/live/stored-signals.ts';
import type { Context } from '#src/system/context.ts';
import { market } from '#test/analytics/market.ts';
import { ofFirst } from '#test/analytics/snapshots.ts';

const END = '2026-10-31';
const range = `symbol=SPX&from=2026-01-01&to=${END}`;

/** The last `count` trading days before `END`, oldest first. */
function tradingDays(count: number): string[] {
  const days: string[] = [];
  for (let day = previousTradingDay(END); days.length < count; day = previousTradingDay(day)) days.unshift(day);
  return days;
}

const figuresOf = (ngr: number, spot: number, synthetic = true): SnapshotFigures => ({
  source: 'test',
  synthetic,
  model_version: 'test',
  net_gex: ngr,
  gex_abs: 1,
  dex: 0,
  vex: 0,
  cex: 0,
  regime: { state: ngr > 0.1 ? 'positive' : 'negative', ngr, gir: 0, sigma_d_pct: 1, confidence: 1, reason: 'ngr' },
  levels: {
    call_wall: spot * 1.01,
    put_wall: spot * 0.99,
    abs_gamma: null,
    hvl: null,
    hvl_cumulative_gex: null,
    atm_volatility: 0.15,
    expected_move_1d: null,
  },
  dsi_raw_shares: ofFirst(ngr / 20),
  skew_30d: null,
  flips: { status: 'ok', primary: spot * 0.995, levels: [spot * 0.995] },
});

interface Filling {
  readonly days: readonly string[];
  /** How long after its instant a snapshot becomes known, ms. */
  readonly late?: number;
  readonly synthetic?: boolean;
}

/** Two snapshots a day; moves after a close of negative gamma are five times as large. */
async function fill(context: Context, { days, late = 0, synthetic = true }: Filling): Promise<void> {
  const random = randomStream('study');
  let [spot, ngr] = [6000, 0.3];
  for (const day of days) {
    spot *= Math.exp((ngr < 0 ? 0.02 : 0.004) * random.normal());
    ngr = random.uniform() < 0.5 ? -0.3 : 0.3;
    for (const [clock, price] of [
      ['11:00', 1],
      ['15:55', spot],
    ] as const) {
      const asOf = new Date(newYorkInstant(`${day}T${clock}`));
      const knowledgeTime = new Date(asOf.getTime() + late);
      await storeSnapshot(context, {
        symbol: 'SPX',
        asOf,
        knowledgeTime,
        spot: price,
        figures: figuresOf(ngr, price, synthetic),
      });
    }
  }
}

test('statistics of the daily history find what is in it; only with what was known in time', async () => {
  await using api = await market({ FEED: 'none' });
  const { headers } = await api.key();
  const ask = async () => await api.call('GET', `/v1/history/statistics?${range}`, headers);
  const days = tradingDays(120);
  await fill(api.context, { days });
  const { status, body } = await ask();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    symbol: 'SPX',
    synthetic: true,
    status: 'ok',
    as_of: new Date(newYorkInstant(`${days.at(-1)}T15:55`)).toISOString(),
    data: { present: 119, first_session: days[1], last_session: days.at(-1) },
  });
  expect(body.data.negative_over_positive.lower).toBeGreaterThan(2);
  expect(body.data.regressions[0].upper).toBeLessThan(0);
  // an hour late, a close's figures say nothing of the next move: it is the day before's that were known
  await using other = await market({ FEED: 'none' });
  await fill(other.context, { days, late: 3_600_000 });
  const late = await other.call('GET', `/v1/history/statistics?${range}`, (await other.key()).headers);
  expect(late.body.data.present).toBe(118);
  expect(late.body.data.negative_over_positive.lower).toBeLessThan(2);
});

test('a backtest trades every rule or one, the same each time; a client that will not wait is given the job', async () => {
  await using api = await market({ FEED: 'none' });
  const { headers } = await api.key();
  const days = tradingDays(90);
  await fill(api.context, { days });
  const ask = async (query: string, more = {}) =>
    await api.call('GET', `/v1/history/backtest?${query}`, { ...headers, ...more });
  const all = await ask(range);
  expect(all).toMatchObject({ status: 200, body: { status: 'ok', data: { present: 89 } } });
  expect(all.body.data.rules).toHaveLength(5);
  // asked again it is the same job, as HEAD too
  expect((await ask(range)).body).toEqual(all.body);
  expect((await fetch(`${api.url}/v1/history/backtest?${range}`, { method: 'HEAD', headers })).status).toBe(200);
  const one = await ask(`${range}&rule=always_long`);
  const [long] = one.body.data.rules;
  expect(one.body.data.rules).toHaveLength(1);
  expect(long.curve.map(({ session }: { session: string }) => session)).toEqual(days.slice(1));
  expect(long.total_return).toBe(
    all.body.data.rules.find(({ rule }: { rule: string }) => rule === 'always_long').total_return,
  );
  // noon of the last day: its session has no last price yet
  const midday = await ask(`symbol=SPX&from=2026-01-01&to=${days.at(-1)}T16:00:00Z`);
  expect(midday.body.data.last_session).toBe(days.at(-2));
  const async = await ask(`${range}&rule=above_flip`, { prefer: 'respond-async' });
  expect(async).toMatchObject({ status: 202, body: { queue: 'analytics.study' } });
  expect(async.headers.get('location')).toBe(`/v1/jobs/${async.body.id}`);
});

test('generated and real days are not mixed: those of the kind that stands last are studied', async () => {
  await using api = await market({ FEED: 'none' });
  const days = tradingDays(100);
  await fill(api.context, { days: days.slice(0, 30) });
  await fill(api.context, { days: days.slice(30), synthetic: false });
  const { headers } = await api.key();
  const { body } = await api.call('GET', `/v1/history/backtest?${range}`, headers);
  expect(body).toMatchObject({ synthetic: false, data: { present: 69, first_session: days[31] } });
});

test('error: too little history says so; a wrong rule, range or symbol is named and makes no job', async () => {
  await using api = await market({ FEED: 'none' });
  const { headers } = await api.key();
  const ask = async (path: string) => await api.call('GET', `/v1/history/${path}`, headers);
  const none = {
    status: 200,
    body: { symbol: 'SPX', as_of: null, status: 'insufficient_history', data: { present: 0 } },
  };
  expect(await ask(`backtest?${range}`)).toMatchObject(none);
  expect(await ask('backtest?symbol=spx')).toMatchObject(none);
  await fill(api.context, { days: tradingDays(20) });
  expect(await ask(`statistics?${range}`)).toMatchObject({
    status: 200,
    body: { status: 'insufficient_history', data: { needed: 60, present: 19, hits: [] } },
  });
  const count = async () => await api.context.db.oneFirst(sql.unsafe`select count(*)::int from jobs`);
  const before = await count();
  expect(await ask(`backtest?${range}&rule=get_rich`)).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'query.rule' }] },
  });
  for (const kind of ['backtest', 'statistics']) {
    expect(await ask(`${kind}?symbol=SPX&from=2026-02-02&to=2026-02-01`)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'query.from' }] },
    });
    expect(await ask(`${kind}?symbol=SPX&to=tomorrow`)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'query.to' }] },
    });
    expect(await ask(`${kind}?symbol=DAX`)).toMatchObject({ status: 404, body: { code: 'unknown_symbol' } });
  }
  expect(await count()).toBe(before);
});

test('statistics say how the kept signals have done, from the prices of the history', async () => {
  await using api = await market({ FEED: 'none' });
  const { headers } = await api.key();
  const begin = newYorkInstant('2026-10-29T11:00');
  const signal = (minutes: number, direction: 'up' | 'down'): Signal => ({
    id: `SPX.charm_drift.${direction}.${begin + minutes * 60_000}`,
    symbol: 'SPX',
    kind: 'charm_drift',
    direction,
    strength: 1,
    confidence: null,
    horizon: '30m',
    as_of: new Date(begin + minutes * 60_000).toISOString(),
    expires_at: new Date(begin + (minutes + 30) * 60_000).toISOString(),
    spot: 6000 + minutes,
    level: null,
    expected_move_pct: 0.2,
    evidence: [],
    invalidation: '',
  });
  // prices rise by a point a minute for an hour: one hit, one miss, one that has not expired
  for (let minutes = 10; minutes <= 60; minutes += 10) {
    const asOf = new Date(begin + minutes * 60_000);
    const spot = 6000 + minutes;
    await storeSnapshot(api.context, { symbol: 'SPX', asOf, knowledgeTime: asOf, spot, figures: figuresOf(0.2, spot) });
  }
  const recent = [signal(40, 'up'), signal(5, 'down'), signal(0, 'up')];
  const kept = { order: 1, state: initialSignalState('SPX'), current: [], recent };
  const answers = new Map([[signalsField, JSON.stringify(kept)]]);
  await publishLive(api.context, marketName('SPX'), { id: 'one', order: 1, events: [], answers });
  const { status, body } = await api.call('GET', `/v1/history/statistics?${range}`, headers);
  expect(status).toBe(200);
  const drift = body.data.scorecard.kinds.find(({ kind }: { kind: string }) => kind === 'charm_drift');
  expect(drift).toMatchObject({ signals: 3, pending: 1, unscored: 0, hits: 1, trials: 2, rate: 0.5, chance: 0.5 });
  expect(drift.lower).toBeGreaterThan(0);
  expect(drift.upper).toBeLessThan(1);
});
