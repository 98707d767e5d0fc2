import { createHash } from 'node:crypto';
import { sql } from 'slonik';
import Type from 'typebox';
import type { Hex } from 'viem';
import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { foldInclusion, leafHash } from '#src/lib/crypto/merkle.ts';
import { anchorOf, type Leaf, putLeaf } from '#src/receipts/anchor/leaves.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { TestChain } from '#test/helpers/servers/anvil.ts';

/** A root for a leaf: any 32 bytes. */
export const rootFor = (leaf: string): Hex => prefixedHexOf(leafHash(createHash('sha256').update(leaf).digest()));

export async function putLeaves({ db }: Context, leaves: readonly Leaf[]): Promise<void> {
  for (const leaf of leaves) await putLeaf(db, leaf, rootFor(leaf));
}

const batchRow = row(
  Type.Object({
    id: Type.String(),
    status: Type.String(),
    root: Type.Unsafe<Buffer | null>({}),
    nonce: Type.Union([Type.Integer(), Type.Null()]),
  }),
);

export async function readBatches({ db }: Context) {
  const rows = await db.any(sql.type(batchRow)`select id, status, root, nonce from anchor_batches order by number`);
  return rows.map(({ root, ...rest }) => ({ ...rest, root: root && prefixedHexOf(root) }));
}

/** Calldata of every transaction of the account that the chain has, in order. */
export async function calldataOf({ client }: TestChain): Promise<readonly Hex[]> {
  const latest = Number(await client.getBlockNumber());
  const found: Hex[] = [];
  for (let height = 0; height <= latest; height++) {
    const { transactions } = await client.getBlock({ blockNumber: BigInt(height), includeTransactions: true });
    for (const { from, input } of transactions) {
      if (from.toLowerCase() === client.account.address.toLowerCase()) found.push(input);
    }
  }
  return found;
}

/** How often the chain has each root: 0 is missing, 2 is doubled. */
export function countRoots(calldata: readonly Hex[], roots: readonly Hex[]): ReadonlyMap<Hex, number> {
  return new Map(roots.map((root) => [root, calldata.filter((one) => one === root).length]));
}

/** Leaves whose path does not lead from their own root to the calldata that the chain has; they should be none. */
export async function unproven(context: Context, { client }: TestChain, leaves: readonly Leaf[]): Promise<Leaf[]> {
  const wrong: Leaf[] = [];
  for (const leaf of leaves) {
    const anchor = await anchorOf(context, leaf);
    const { index = -1, size = 0, path = [] } = anchor?.proof ?? {};
    const folded = foldInclusion(bytesOfHex(rootFor(leaf)), index, size, path.map(bytesOfHex));
    const transaction = anchor && (await client.getTransaction({ hash: anchor.tx as Hex }));
    if (!folded || prefixedHexOf(folded) !== transaction?.input) wrong.push(leaf);
  }
  return wrong;
}
