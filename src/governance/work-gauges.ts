import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { budgetKinds } from '#src/governance/budgets/count-refusal.ts';
import type { Context } from '#src/system/context.ts';
import { fillGauges } from '#src/system/fill-gauges.ts';
import { row } from '#src/system/postgres/postgres.ts';

const tallyRow = row(Type.Object({ state: Type.String(), n: Type.Integer(), age: Type.Number() }));
const sumRow = row(Type.Object({ surface: Type.String(), dollars: Type.Number() }));

const unknownRow = row(Type.Object({ provider: Type.String(), dollars: Type.Number(), age: Type.Number() }));

const surfaces = ['studio', 'missions', 'platform'] as const;
const openApprovals = ['pending', 'granted'] as const;
/** States of missions that were executed and are not sealed. */
const openMissions = ['executing', 'awaiting_human', 'sealing', 'failed', 'cancelled'] as const;

/**
 * Fills the gauges of what waits for humans, seals and bills from Postgres at every scrape; indexes hold what is open
 * alone.
 */
export function gaugeWork(context: Context): void {
  const { db, metrics } = context;
  // `increase()` does not see the first step of a series that begins with it
  for (const kind of budgetKinds) metrics.proofline_budget_refusals_total.inc({ kind }, 0);
  fillGauges(context, [metrics.proofline_spend_reserved_dollars], async () => {
    const sums = await reserved(db);
    for (const surface of surfaces) metrics.proofline_spend_reserved_dollars.set({ surface }, sums.get(surface) ?? 0);
  });
  const { proofline_spend_unknown_dollars: held, proofline_provider_call_oldest_unknown_seconds: longest } = metrics;
  fillGauges(context, [held, longest], async () => {
    const found = await unknown(db);
    // providers whose calls are all known again are no series any more
    held.reset();
    for (const { provider, dollars } of found) held.set({ provider }, dollars);
    longest.set(Math.max(0, ...found.map(({ age }) => age)));
  });
  const { proofline_approvals_open: approvals, proofline_approval_oldest_pending_seconds: oldest } = metrics;
  fillGauges(context, [approvals, oldest], async () => {
    const found = await approvalsOpen(db);
    for (const state of openApprovals) approvals.set({ state }, found.get(state)?.n ?? 0);
    oldest.set(found.get('pending')?.age ?? 0);
  });
  const { proofline_missions_open: missions, proofline_mission_oldest_unsealed_seconds: unsealed } = metrics;
  fillGauges(context, [missions, unsealed], async () => {
    const found = await missionsOpen(db);
    for (const state of openMissions) missions.set({ state }, found.get(state)?.n ?? 0);
    unsealed.set(Math.max(0, ...[...found.values()].map(({ age }) => age)));
  });
}

/** Dollars that calls under way were quoted at, by surface. */
async function reserved(db: CommonQueryMethods): Promise<ReadonlyMap<string, number>> {
  const rows = await db.any(sql.type(sumRow)`
    select surface, (sum(quoted) / 1e6)::float8 as dollars from provider_calls where state = 'reserved' group by surface`);
  return new Map(rows.map(({ surface, dollars }) => [surface, dollars]));
}

/** Reads the dollars that each provider's unknown calls hold, and the seconds for which the oldest of them has. */
async function unknown(db: CommonQueryMethods) {
  return await db.any(sql.type(unknownRow)`
    select provider, (sum(coalesce(held, quoted)) / 1e6)::float8 as dollars,
      extract(epoch from clock_timestamp() - min(ended_at))::float8 as age
    from provider_calls where state = 'unknown' group by provider`);
}

async function approvalsOpen(db: CommonQueryMethods) {
  return byState(
    await db.any(sql.type(tallyRow)`
      select state, count(*) as n, extract(epoch from clock_timestamp() - min(created_at))::float8 as age
      from approvals where state in ('pending', 'granted') and expires_at > now() group by state`),
  );
}

/** `age` is since the end of the first of them that is over, 0 where none is. */
async function missionsOpen(db: CommonQueryMethods) {
  return byState(
    await db.any(sql.type(tallyRow)`
      select state, count(*) as n,
        coalesce(extract(epoch from clock_timestamp() - min(finished_at)), 0)::float8 as age
      from missions where sealed_at is null and executed_at is not null group by state`),
  );
}

function byState<T extends { readonly state: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((each) => [each.state, each]));
}
