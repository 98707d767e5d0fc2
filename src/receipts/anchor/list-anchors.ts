import { sql } from 'slonik';
import Type from 'typebox';
import type { Hex } from 'viem';
import { prefixedHexOf } from '#src/lib/crypto/hex.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { BatchStatus } from './leaves.ts';

const listedRow = row(
  Type.Object({
    number: Type.Integer(),
    status: Type.Unsafe<BatchStatus>({ type: 'string' }),
    chain: Type.String(),
    address: Type.String(),
    nonce: Type.Integer(),
    root: Type.Unsafe<Buffer | null>({}),
    leaves: Type.Unsafe<readonly Buffer[] | null>({}),
    attempts: Type.Unsafe<ListedAttempt[]>({}),
  }),
);

/** A signed transaction of a batch. */
export interface ListedAttempt {
  readonly tx: Hex;
  readonly nonce: number;
  readonly why: 'first' | 'bump' | 'nonce_taken';
  /** Number of times that the chain had it and then had it no more. */
  readonly lost: number;
  readonly block: { readonly number: number; readonly hash: Hex } | null;
}

export interface ListedAnchor {
  /** Rises from batch to batch; the cursor of the list. */
  readonly number: number;
  readonly status: BatchStatus;
  readonly chain: string;
  readonly from: string;
  readonly nonce: number;
  readonly root: Hex | null;
  /** In the order of the tree. */
  readonly leaves: Hex[];
  readonly attempts: ListedAttempt[];
}

/**
 * Signed batches of a chain, oldest first, behind the one with this number; at most `limit`. It ends before the first
 * one that is not signed, so that who goes on from there later has missed none.
 */
export async function listAnchors(
  { db }: Pick<Context, 'db'>,
  { chain, after, limit }: { readonly chain: string; readonly after: number; readonly limit: number },
): Promise<readonly ListedAnchor[]> {
  const rows = await db.any(sql.type(listedRow)`
    select b.number, b.status, b.chain, b.address, b.nonce, b.root,
      (select array_agg(l.root order by l.leaf_index) from anchor_leaves l where l.batch_id = b.id) as leaves,
      (select json_agg(json_build_object('tx', '0x' || encode(a.hash, 'hex'), 'nonce', a.nonce, 'why', a.why, 'lost', a.lost,
          'block', case when a.block_number is not null
            then json_build_object('number', a.block_number, 'hash', '0x' || encode(a.block_hash, 'hex')) end) order by a.at)
        from anchor_attempts a where a.batch_id = b.id) as attempts
    from anchor_batches b
    where b.chain = ${chain} and b.number > ${after} and b.status <> 'new'
      and b.number < all (select number from anchor_batches where status = 'new')
    order by b.number limit ${limit}`);
  return rows.map(({ address, root, leaves, ...rest }) => ({
    ...rest,
    from: address,
    root: root && prefixedHexOf(root),
    leaves: (leaves ?? []).map(prefixedHexOf),
  }));
}
