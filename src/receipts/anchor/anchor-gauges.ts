import { sql } from 'slonik';
import Type from 'typebox';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { batchStatuses, pendingStatuses } from './leaves.ts';

const pendingRow = row(Type.Object({ leaves: Type.Integer(), oldest: Type.Number() }));
const batchRow = row(Type.Object({ status: Type.String(), batches: Type.Integer() }));
const accountRow = row(
  Type.Object({
    chain: Type.String(),
    address: Type.String(),
    balance: Type.Number(),
    transactions: Type.Number(),
    low: Type.Integer(),
  }),
);

/** The gauges of one scrape are read together. */
const SHARED_MS = 500;

/**
 * Fills the gauges of the anchors from Postgres at every scrape: what is pending, for how long, and what the accounts
 * hold.
 */
export function gaugeAnchors({ db, metrics, log, config }: Context): void {
  const read = async () => {
    const pending = await db.one(sql.type(pendingRow)`
      select count(*) as leaves,
        coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest
      from (
        select created_at from anchor_leaves where batch_id is null
        union all
        select l.created_at from anchor_leaves l join anchor_batches b on b.id = l.batch_id
        where b.status not in ('finalized', 'void')
          and b.status = any(${sql.array([...pendingStatuses(config.ANCHOR_CONFIRM)], 'text')})
      ) p`);
    metrics.proofline_anchor_leaves_pending.set(pending.leaves);
    metrics.proofline_anchor_oldest_pending_seconds.set(pending.oldest);
    const counts = await db.any(
      sql.type(batchRow)`select status, count(*) as batches from anchor_batches group by status`,
    );
    for (const status of batchStatuses) {
      const count = counts.find((one) => one.status === status)?.batches ?? 0;
      metrics.proofline_anchor_batches.set({ status }, count);
    }
    const accounts = await db.any(sql.type(accountRow)`
      select chain, address, balance::float8 as balance,
        (balance / greatest(anchor_price, 1))::float8 as transactions,
        (balance < anchor_price * ${config.ANCHOR_MIN_BALANCE})::int as low
      from anchor_accounts where balance is not null`);
    for (const { chain, address, balance, transactions, low } of accounts) {
      metrics.proofline_anchor_balance_wei.set({ chain, address }, balance);
      metrics.proofline_anchor_balance_transactions.set({ chain, address }, transactions);
      metrics.proofline_anchor_balance_low.set({ chain, address }, low);
    }
  };
  const collect = sharedAnswer(SHARED_MS, async () => {
    // a scrape while Postgres is away must still show everything else
    await read().catch((error: unknown) => log.debug({ err: error }, 'the gauges of the anchors were not read'));
  });
  const gauges = [
    metrics.proofline_anchor_leaves_pending,
    metrics.proofline_anchor_oldest_pending_seconds,
    metrics.proofline_anchor_batches,
    metrics.proofline_anchor_balance_wei,
    metrics.proofline_anchor_balance_transactions,
    metrics.proofline_anchor_balance_low,
  ];
  for (const gauge of gauges) Object.assign(gauge, { collect });
}
