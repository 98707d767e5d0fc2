import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { anchorOf, putLeaf } from './anchor/leaves.ts';

/** A receipt as it is sealed, before the chain has it. */
export type SealedReceipt = Omit<Receipt, 'anchor'>;

export interface NewReceipt {
  readonly owner: string;
  /** Kind of work that it is a receipt of. */
  readonly kind: 'mission' | 'execution';
  /** With the id of the mission or job as its id. */
  readonly receipt: SealedReceipt;
}

const rootRow = row(Type.Object({ root: Type.Unsafe<Buffer>({}) }));

/**
 * Keeps a sealed receipt and puts its root into the outbox of the anchors, in the caller's transaction. The same
 * receipt again changes nothing.
 *
 * @throws AppError `state_conflict` when there is another receipt of this id.
 */
export async function putReceipt(tx: CommonQueryMethods, { owner, kind, receipt }: NewReceipt): Promise<void> {
  const { id, root, seal, statement } = receipt;
  await tx.query(sql.unsafe`
    insert into receipts (id, owner, kind, body, root, kid, sealed_at)
    values (${id}, ${owner}, ${kind}, ${JSON.stringify(receipt)}::jsonb, ${sql.binary(Buffer.from(bytesOfHex(root)))},
      ${seal.kid}, ${statement.predicate.sealedAt}::timestamptz)
    on conflict do nothing`);
  const kept = prefixedHexOf(await tx.oneFirst(sql.type(rootRow)`select root from receipts where id = ${id}`));
  if (kept !== root) {
    throw new AppError(
      'state_conflict',
      `The receipt ${id} is sealed with the root ${kept}: expected it, got ${root}.`,
      {
        receipt: id,
      },
    );
  }
  await putLeaf(tx, `receipt:${id}`, root);
}

const bodyRow = row(Type.Object({ body: Type.Unsafe<SealedReceipt>({}) }));

/** The receipt with this id (a UUID), with where the chain has it, if it has it yet; null when there is none. */
export async function readReceipt({ db }: Pick<Context, 'db'>, id: string): Promise<Receipt | null> {
  const body = await db.maybeOneFirst(sql.type(bodyRow)`select body from receipts where id = ${id}`);
  return body && { ...body, anchor: await anchorOf({ db }, `receipt:${id}`) };
}
