import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { textArray } from '#src/lib/array-literal.ts';
import { prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { anchorOf } from './anchor/leaves.ts';

/** A receipt as it is sealed, before the chain has it. */
export type SealedReceipt = Omit<Receipt, 'anchor'>;

export interface NewReceipt {
  readonly owner: string;
  /** Kind of work that it is a receipt of. */
  readonly kind: 'mission' | 'execution';
  /** With the id of the mission or job as its id. */
  readonly receipt: SealedReceipt;
}

const idRow = row(Type.Object({ id: Type.String() }));
const keptRow = row(
  Type.Object({
    id: Type.String(),
    root: Type.Unsafe<Buffer>({}),
    leaf: Type.Union([Type.Unsafe<Buffer>({}), Type.Null()]),
  }),
);

/**
 * Keeps a sealed receipt and puts its root into the outbox of the anchors, in the caller's transaction. The same
 * receipt again changes nothing.
 *
 * @throws AppError `state_conflict` when there is another receipt of this id.
 */
export async function putReceipt(tx: CommonQueryMethods, receipt: NewReceipt): Promise<void> {
  await putReceipts(tx, [receipt]);
}

/** Keeps receipts as {@link putReceipt} keeps one, all of them or none. @throws as it does */
export async function putReceipts(tx: CommonQueryMethods, all: readonly NewReceipt[]): Promise<void> {
  if (all.length === 0) return;
  const text = (of: (one: NewReceipt) => string) => textArray(all.map(of));
  const known = await tx.any(sql.type(idRow)`
    with given as materialized (
      select id::uuid, owner, kind, body::jsonb, decode(root, 'hex') as root, kid, sealed_at::timestamptz
      from unnest(${text(({ receipt }) => receipt.id)}::text[], ${text(({ owner }) => owner)}::text[],
        ${text(({ kind }) => kind)}::text[], ${text(({ receipt }) => JSON.stringify(receipt))}::text[],
        ${text(({ receipt }) => receipt.root.slice(2))}::text[], ${text(({ receipt }) => receipt.seal.kid)}::text[],
        ${text(({ receipt }) => receipt.statement.predicate.sealedAt)}::text[])
        as g (id, owner, kind, body, root, kid, sealed_at)
    ), kept as (
      insert into receipts (id, owner, kind, body, root, kid, sealed_at)
      select id, owner, kind, body, root, kid, sealed_at from given
      on conflict do nothing returning id
    ), put as (
      insert into anchor_leaves (leaf, root) select 'receipt:' || id, root from given
      on conflict do nothing returning leaf
    )
    select g.id from given g left join kept k on k.id = g.id left join put p on p.leaf = 'receipt:' || g.id
    where k.id is null or p.leaf is null`);
  if (known.length > 0)
    await assertSame(
      tx,
      all,
      known.map(({ id }) => id),
    );
}

/** Compares those that were there, in a statement that sees them. */
async function assertSame(tx: CommonQueryMethods, all: readonly NewReceipt[], ids: readonly string[]): Promise<void> {
  const roots = new Map(all.map(({ receipt }) => [receipt.id, receipt.root]));
  const kept = await tx.any(sql.type(keptRow)`
    select r.id, r.root, l.root as leaf from receipts r left join anchor_leaves l on l.leaf = 'receipt:' || r.id
    where r.id = any(${sql.array([...ids], 'uuid')})`);
  for (const { id, root, leaf } of kept) {
    const [wanted, sealed, anchored] = [roots.get(id), prefixedHexOf(root), leaf && prefixedHexOf(leaf)];
    if (sealed === wanted && anchored === wanted) continue;
    throw new AppError(
      'state_conflict',
      `The receipt ${id} is sealed with the root ${sealed === wanted ? anchored : sealed}: expected it, got ${wanted}.`,
      { receipt: id },
    );
  }
}

const bodyRow = row(Type.Object({ body: Type.Unsafe<SealedReceipt>({}) }));

/** The receipt with this id (a UUID), with where the chain has it, if it has it yet; null when there is none. */
export async function readReceipt({ db }: Pick<Context, 'db'>, id: string): Promise<Receipt | null> {
  const body = await db.maybeOneFirst(sql.type(bodyRow)`select body from receipts where id = ${id}`);
  return body && { ...body, anchor: await anchorOf({ db }, `receipt:${id}`) };
}
