import { randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { treeRoot } from '#src/lib/crypto/merkle.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { IN_FLIGHT } from './decide.ts';

/** Times `ANCHOR_IDLE_MS` that a leaf waits at most while others keep coming. */
const PATIENCE = 5;

const waitingRow = row(
  Type.Object({
    leaves: Type.Integer(),
    newestMs: Type.Number(),
    oldestMs: Type.Number(),
    underWay: Type.Integer(),
  }),
);

/**
 * Closes as many batches as are due: full ones, and one that is not full when the leaves stop coming. While eight are
 * under way the leaves wait, and make larger batches. Answers the ids.
 */
export async function makeBatches({ db, config }: Pick<Context, 'db' | 'config'>): Promise<readonly string[]> {
  const made: string[] = [];
  // one after the other: each changes what waits
  while (await isDue(db, config)) {
    const id = await db.transaction((tx) => makeBatch(tx, config.ANCHOR_BATCH_MAX));
    if (id === null) break;
    made.push(id);
  }
  return made;
}

async function isDue(db: CommonQueryMethods, config: Config): Promise<boolean> {
  const waiting = await db.one(sql.type(waitingRow)`
    select count(*) as leaves,
      coalesce(extract(epoch from clock_timestamp() - max(created_at)) * 1000, 0)::float8 as "newestMs",
      coalesce(extract(epoch from clock_timestamp() - min(created_at)) * 1000, 0)::float8 as "oldestMs",
      (select count(*) from anchor_batches where status in ('new', 'signed') and coalesce(chain, ${config.ANCHOR_CHAIN}) = ${config.ANCHOR_CHAIN}) as "underWay"
    from anchor_leaves where batch_id is null`);
  if (waiting.leaves === 0 || waiting.underWay >= IN_FLIGHT) return false;
  const { ANCHOR_BATCH_MAX: most, ANCHOR_IDLE_MS: idle } = config;
  return waiting.leaves >= most || waiting.newestMs >= idle || waiting.oldestMs >= idle * PATIENCE;
}

const leafRow = row(Type.Object({ leaf: Type.String(), root: Type.Unsafe<Buffer>({}) }));

/** One batch of the leaves that wait longest, in the order of their ids; null when others took them. */
async function makeBatch(tx: CommonQueryMethods, most: number): Promise<string | null> {
  const taken = await tx.any(sql.type(leafRow)`
    select leaf, root from anchor_leaves where batch_id is null
    order by created_at, leaf limit ${most} for update skip locked`);
  if (taken.length === 0) return null;
  const leaves = taken.toSorted((left, right) => (left.leaf < right.leaf ? -1 : 1));
  const id = randomUUIDv7();
  const root = Buffer.from(treeRoot(leaves.map((one) => one.root)));
  await tx.query(sql.unsafe`
    insert into anchor_batches (id, status, root, size) values (${id}, 'new', ${sql.binary(root)}, ${leaves.length})`);
  await tx.query(sql.unsafe`
    update anchor_leaves l set batch_id = ${id}, leaf_index = t.n - 1
    from unnest(${sql.array(
      leaves.map(({ leaf }) => leaf),
      'text',
    )}) with ordinality as t (leaf, n) where l.leaf = t.leaf`);
  return id;
}
