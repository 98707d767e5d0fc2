import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { stampField, unfitField } from '#src/analytics/answers/freshness.ts';
import { gaugeFeeds } from '#src/analytics/live/feed-freshness.ts';
import { marketName, publishLive } from '#src/analytics/live/publish-live.ts';
import { openBudget, reserve } from '#src/governance/budgets/budgets.ts';
import { gaugeWork } from '#src/governance/work-gauges.ts';
import { gaugeBatches } from '#src/platform/batches/batch-gauges.ts';
import type { Context } from '#src/system/context.ts';
import { quietSystem } from '#test/helpers/quiet.ts';

/** The values of one scrape, by series. */
async function scrape({ metrics }: Context): Promise<(series: string) => number> {
  const lines = (await metrics.registry.metrics()).split('\n').map((line) => line.split(/ (?=[^ ]+$)/));
  const values = new Map(lines.map(([series = '', value]) => [series, Number(value)]));
  return (series) => values.get(series) ?? Number.NaN;
}

test('what is open of approvals, missions, batches and spending is read at every scrape, and is 0 from the start', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const { db } = context;
  gaugeWork(context);
  gaugeBatches(context);
  const before = await scrape(context);
  expect(before('proofline_approvals_open{state="pending"}')).toBe(0);
  expect(before('proofline_approval_oldest_pending_seconds')).toBe(0);
  expect(before('proofline_missions_open{state="sealing"}')).toBe(0);
  expect(before('proofline_mission_oldest_unsealed_seconds')).toBe(0);
  expect(before('proofline_batch_oldest_open_seconds')).toBe(0);
  expect(before('proofline_batch_lines{state="waiting"}')).toBe(0);
  expect(before('proofline_spend_reserved_dollars{surface="studio"}')).toBe(0);
  expect(before('proofline_budget_refusals_total{kind="job"}')).toBe(0);

  for (const [state, age, left] of [
    ['pending', 300, 60],
    ['pending', 900, -1],
    ['declined', 5_000, 60],
  ] as const)
    await db.query(sql.unsafe`
      insert into approvals (id, owner, kind, subject, effect, effect_hash, areas, state, requested_by, created_at, expires_at)
      values (${randomUUID()}, 'alice', 'render', ${randomUUID()}, '{}', sha256(''), '[]', ${state}, 'alice',
        now() - ${age} * interval '1 s', now() + ${left} * interval '1 s')`);
  for (const [state, ended] of [
    ['sealing', 120],
    ['executing', null],
  ] as const)
    await db.query(sql.unsafe`
      insert into missions (id, owner, human, goal, inputs, plan, salt, state, timeout_s, genesis, head, chained, events,
        request_hash, created_at, executed_at, finished_at)
      values (${randomUUID()}, 'alice', 'human', 'goal', '{}', '{}', sha256(''), ${state}, 60, '', '', 0, 0, sha256(''),
        now(), now(), now() - ${ended}::int8 * interval '1 s')`);
  await db.query(sql.unsafe`
    insert into batches (id, owner, input_file, input_sha256, status, total, completed, failed, created_at, expires_at)
    values (${randomUUID()}, 'alice', ${randomUUID()}, sha256(''), 'in_progress', 10, 5, 2, now() - interval '2 h', now() + interval '22 h')`);
  const call = {
    job: randomUUID(),
    provider: 'one',
    owner: 'alice',
    keyId: null,
    surface: 'studio' as const,
    capability: 'image.generate',
    budgets: ['job:1'],
  };
  await openBudget(db, 'job:1', 2_000_000);
  await reserve(context, { ...call, quoted: 1_500_000 });
  await expect(reserve(context, { ...call, job: randomUUID(), quoted: 600_000 })).rejects.toMatchObject({
    code: 'budget_exceeded',
  });

  await expect.poll(async () => (await scrape(context))('proofline_approvals_open{state="pending"}')).toBe(1);
  const after = await scrape(context);
  expect(after('proofline_approval_oldest_pending_seconds')).toBeGreaterThanOrEqual(300);
  expect(after('proofline_approval_oldest_pending_seconds')).toBeLessThan(900);
  expect(after('proofline_missions_open{state="sealing"}')).toBe(1);
  expect(after('proofline_missions_open{state="executing"}')).toBe(1);
  expect(after('proofline_mission_oldest_unsealed_seconds')).toBeGreaterThanOrEqual(120);
  expect(after('proofline_batches_open{status="in_progress"}')).toBe(1);
  expect(after('proofline_batch_lines{state="waiting"}')).toBe(3);
  expect(after('proofline_batch_lines{state="failed"}')).toBe(2);
  expect(after('proofline_batch_oldest_open_seconds')).toBeGreaterThanOrEqual(7_200);
  expect(after('proofline_spend_reserved_dollars{surface="studio"}')).toBe(1.5);
  expect(after('proofline_budget_refusals_total{kind="job"}')).toBe(1);
});

test('each live feed says how old it is, whether it is stale, and whether it was in trouble', async () => {
  await using system = await quietSystem({ FEED: 'synthetic' });
  const { context } = system;
  gaugeFeeds(context);
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  const told = async (symbol: string, ageMs: number, unfit: string) => {
    const at = Date.now() - ageMs;
    const stamp = JSON.stringify({ asOf: at, takenAt: at, synthetic: true });
    const answers = new Map([
      [stampField, stamp],
      [unfitField, unfit],
    ]);
    await publishLive(context, marketName(symbol), { id: 'one', order: at, events: [], answers });
  };
  await told('SPX', 3_600_000, '');
  await told('SPY', 0, 'half_chain');
  const read = await scrape(context);
  expect(read('proofline_market_feed_age_seconds{symbol="SPX"}')).toBeGreaterThanOrEqual(3_600);
  expect(read('proofline_market_feed_stale{symbol="SPX"}')).toBe(1);
  expect(read('proofline_market_feed_trouble{symbol="SPX"}')).toBe(0);
  expect(read('proofline_market_feed_stale{symbol="SPY"}')).toBe(0);
  expect(read('proofline_market_feed_trouble{symbol="SPY"}')).toBe(1);
  expect(read('proofline_market_feed_age_seconds{symbol="QQQ"}')).toBeNaN();
});
