import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { outcomes } from '#src/receipts/format/receipt-schema.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type AnchorState, isAtLeast } from './anchor/leaves.ts';

const Totals = Type.Object({
  sealed: Type.Integer(),
  anchored: Type.Integer(),
  batches: Type.Integer(),
  finalized: Type.Integer(),
});
export type ReceiptTotals = Static<typeof Totals>;

/**
 * Receipts of this service: sealed, on the chain; the transactions that anchor them, and those the chain will not take
 * back.
 */
export async function receiptTotals({ db }: Pick<Context, 'db'>): Promise<ReceiptTotals> {
  return await db.one(sql.type(row(Totals))`
    select
      (select count(*) from receipts) as sealed,
      (select count(*) from anchor_leaves l join anchor_batches b on b.id = l.batch_id
        where l.leaf like 'receipt:%' and b.status in ('included', 'safe', 'finalized')) as anchored,
      (select count(*) from anchor_batches where size > 0 and status in ('included', 'safe', 'finalized')) as batches,
      (select count(*) from anchor_batches where size > 0 and status = 'finalized') as finalized`);
}

const Listed = Type.Object({
  id: Type.String(),
  kind: Type.Unsafe<'mission' | 'execution'>({ enum: ['mission', 'execution'] }),
  outcome: Type.Enum([...outcomes]),
  root: Type.Unsafe<Buffer>({}),
  kid: Type.String(),
  sealedAt: Type.Unsafe<Date>({}),
  status: Type.Unsafe<AnchorState['status']>({}),
});

/** A receipt without its contents. */
export interface ListedReceipt extends Pick<Static<typeof Listed>, 'id' | 'kind' | 'outcome' | 'kid' | 'sealedAt'> {
  /** 0x and lower-case hexadecimal. */
  readonly root: string;
  readonly anchor: AnchorState;
}

/**
 * Receipts of an owner, last sealed first: at most `limit`, and one more where there are more.
 *
 * @param before the receipt after which the page begins; one that is not the owner's begins nowhere
 */
export async function listReceipts(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { owner, before, limit }: { readonly owner: string; readonly before: string | null; readonly limit: number },
): Promise<readonly ListedReceipt[]> {
  const found = await db.any(sql.type(row(Listed))`
    select r.id, r.kind, r.body #>> '{statement,predicate,outcome}' as outcome, r.root, r.kid, r.sealed_at as "sealedAt",
      coalesce(b.status, 'waiting') as status
    from receipts r
      left join anchor_leaves l on l.leaf = 'receipt:' || r.id
      left join anchor_batches b on b.id = l.batch_id
    where r.owner = ${owner} and (${before}::uuid is null
      or (r.sealed_at, r.id) < (select p.sealed_at, p.id from receipts p where p.id = ${before}::uuid and p.owner = ${owner}))
    order by r.sealed_at desc, r.id desc limit ${limit + 1}`);
  return found.map(({ root, status, ...receipt }) => ({
    ...receipt,
    root: prefixedHexOf(root),
    anchor: { status, anchored: isAtLeast(status, config.ANCHOR_CONFIRM) },
  }));
}
