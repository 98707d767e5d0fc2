import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { lanes } from '#src/lib/async/lanes.ts';
import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { inclusionPath } from '#src/lib/crypto/merkle.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Anchor } from '#src/receipts/format/receipt-schema.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Name of an anchored root: that of a receipt (by its id), or of a version of the key manifest. */
export type Leaf = `receipt:${string}` | `manifest:${number}`;

export const batchStatuses = ['new', 'signed', 'included', 'safe', 'finalized', 'void'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

const Bytes = Type.Unsafe<Buffer>({});
const rootRow = row(Type.Object({ root: Bytes }));

/**
 * Puts a root into the outbox; the next batch takes it. The same leaf and root again change nothing. It is in the
 * caller's transaction, so that what is sealed is always anchored, and nothing else is.
 *
 * @throws AppError `state_conflict` when the leaf has another root already.
 */
export async function putLeaf(tx: CommonQueryMethods, leaf: Leaf, root: string): Promise<void> {
  await tx.query(sql.unsafe`
    insert into anchor_leaves (leaf, root) values (${leaf}, ${sql.binary(Buffer.from(bytesOfHex(root)))})
    on conflict do nothing`);
  const kept = prefixedHexOf(await tx.oneFirst(sql.type(rootRow)`select root from anchor_leaves where leaf = ${leaf}`));
  if (kept !== root) {
    throw new AppError('state_conflict', `${leaf} is anchored with the root ${kept}: expected the same, got ${root}.`, {
      leaf,
    });
  }
}

/** Redis pub/sub channel that says when a leaf is anchored; of a receipt, by its id. */
export function anchoredChannel(config: Config, leaf: Leaf): string {
  return `${config.REDIS_PREFIX}:anchored:${leaf.replace(/^receipt:/, '')}`;
}

const anchorRow = row(
  Type.Object({
    chain: Type.String(),
    address: Type.String(),
    root: Bytes,
    index: Type.Integer(),
    hash: Bytes,
    raw: Bytes,
    blockNumber: Type.Integer(),
    blockHash: Bytes,
    leaves: Type.Unsafe<readonly Buffer[]>({}),
  }),
);

/** Returns the anchor of this leaf, with the path from its root to the batch's; null while the chain has it not. */
export async function anchorOf({ db }: Pick<Context, 'db'>, leaf: Leaf): Promise<Anchor | null> {
  const found = await db.maybeOne(sql.type(anchorRow)`
    select a.chain, a.address, b.root, l.leaf_index as index, a.hash, a.raw,
      a.block_number as "blockNumber", a.block_hash as "blockHash",
      (select array_agg(m.root order by m.leaf_index) from anchor_leaves m where m.batch_id = b.id) as leaves
    from anchor_leaves l join anchor_batches b on b.id = l.batch_id join anchor_attempts a on a.batch_id = b.id
    where l.leaf = ${leaf} and a.block_number is not null
    order by a.block_number limit 1`);
  if (!found) return null;
  return {
    chain: found.chain,
    from: found.address,
    root: prefixedHexOf(found.root),
    proof: {
      alg: 'rfc6962-sha256',
      index: found.index,
      size: found.leaves.length,
      path: inclusionPath(found.leaves, found.index).map(prefixedHexOf),
    },
    tx: prefixedHexOf(found.hash),
    block: { number: found.blockNumber, hash: prefixedHexOf(found.blockHash) },
    rawTx: prefixedHexOf(found.raw),
  };
}

const Confirmed = Type.Object({
  leaf: Type.String(),
  chain: Type.String(),
  hash: Bytes,
  blockNumber: Type.Integer(),
});

/** Transaction that has a leaf, without the path from the leaf to its root. */
export interface ConfirmedAnchor {
  readonly chain: string;
  readonly tx: string;
  readonly block: number;
}

/**
 * Reads where a leaf is anchored as final as `ANCHOR_CONFIRM` asks, together with those that others ask about; null where
 * it is not.
 */
export const confirmedAnchor = perContext(({ db, config }: Context) =>
  lanes<Leaf, ConfirmedAnchor | null>(async (leaves) => {
    const found = await db.any(sql.type(row(Confirmed))`
      select distinct on (l.leaf) l.leaf, a.chain, a.hash, a.block_number as "blockNumber"
      from anchor_leaves l join anchor_batches b on b.id = l.batch_id join anchor_attempts a on a.batch_id = b.id
      where l.leaf = any(${sql.array([...leaves], 'text')}) and a.block_number is not null
        and b.status = any(${sql.array([...confirmedStatuses(config.ANCHOR_CONFIRM)], 'text')})
      order by l.leaf, a.block_number`);
    const anchors = new Map(
      found.map(({ leaf, chain, hash, blockNumber }) => [leaf, { chain, tx: prefixedHexOf(hash), block: blockNumber }]),
    );
    return leaves.map((leaf) => ({ status: 'fulfilled', value: anchors.get(leaf) ?? null }));
  }),
);

const stateRow = row(Type.Object({ status: Type.Unsafe<BatchStatus | null>({}) }));

const ladder = ['included', 'safe', 'finalized'] as const;
/** Finality of a transaction on the chain: in a block, in one that its sequencer or validators vouch for, for good. */
export type Finality = (typeof ladder)[number];

export interface AnchorState {
  /** `waiting` for a batch, in a batch that is not signed (`new`), `signed`, or on the chain. */
  readonly status: 'waiting' | 'new' | 'signed' | Finality;
  /** True where it is as final as `ANCHOR_CONFIRM` asks. */
  readonly anchored: boolean;
}

/** Reads the progress of this leaf's anchoring; null when it was not put into the outbox. */
export async function readAnchorState(
  { db, config }: Pick<Context, 'db' | 'config'>,
  leaf: Leaf,
): Promise<AnchorState | null> {
  const found = await db.maybeOneFirst(sql.type(stateRow)`
    select coalesce(b.status, 'waiting') as status
    from anchor_leaves l left join anchor_batches b on b.id = l.batch_id where l.leaf = ${leaf}`);
  if (found === null) return null;
  const status = found as AnchorState['status'];
  return { status, anchored: isAtLeast(status, config.ANCHOR_CONFIRM) };
}

/** Statuses in which a leaf does not count as anchored yet. */
export function pendingStatuses(wanted: Finality): readonly BatchStatus[] {
  return batchStatuses.filter((status) => status !== 'void' && !isAtLeast(status, wanted));
}

/** Statuses in which a leaf counts as anchored. */
export function confirmedStatuses(wanted: Finality): readonly BatchStatus[] {
  return batchStatuses.filter((status) => isAtLeast(status, wanted));
}

/** Checks whether a batch in this status is at least as final as wanted. */
export function isAtLeast(status: string, wanted: Finality): boolean {
  return ladder.findIndex((one) => one === status) >= ladder.indexOf(wanted);
}
