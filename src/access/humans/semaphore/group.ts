import { Group } from '@semaphore-protocol/group';
import { type CommonQueryMethods, sql } from 'slonik';
import {
  countMembers,
  deleteRoots,
  insertRoot,
  lockGroup,
  selectMembers,
} from '#src/access/humans/store/group-store.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { fromBytes, toBytes32 } from './field.ts';

/** Leaves of a tree of depth 20, the depth that proofs are made and verified at. */
const capacity = 2 ** 20;

/** About 30 ms of hashing. */
const leavesATurn = 64;

interface Tree {
  group: Group;
  /** Position of the last leaf. */
  last: number;
}

const trees = perContext((): { tree: Tree; turn: Promise<unknown> } => ({ tree: empty(), turn: Promise.resolve() }));

/**
 * Changes who is in the group, in a transaction of its own and alone among all processes, and makes the new root the
 * one that holds. After a removal older roots no longer count.
 *
 * The group is the Semaphore group of the commitments that are not removed, in the order of their enrolment, so that a
 * client builds the same one with `new Group(members)`. A leaf that is set to zero, which is how the library removes
 * one, would give a root that no such client arrives at.
 *
 * @throws whatever `change` throws; then nothing has changed.
 */
export async function changeGroup<T>(
  context: Context,
  kind: 'add' | 'remove',
  change: (tx: CommonQueryMethods) => Promise<T>,
): Promise<T> {
  const held = trees(context);
  const work = async (): Promise<T> => {
    let grown = false;
    try {
      // what is known is read before the lock, so that it is held for the newest leaves alone
      if (kind === 'add') await catchUp(context.db, held.tree);
      return await context.db.transaction(async (tx) => {
        await lockGroup(tx);
        const result = await change(tx);
        grown = true;
        await catchUp(tx, held.tree);
        if (kind === 'remove') await deleteRoots(tx);
        if (held.tree.group.size > 0) await insertRoot(tx, toBytes32(held.tree.group.root));
        return result;
      });
    } catch (error) {
      // it may hold a leaf that was never committed
      if (grown) held.tree = empty();
      throw error;
    }
  };
  // one at a time in this process as well: they share the tree
  const mine = held.turn.then(work);
  held.turn = mine.catch(() => {});
  return await mine;
}

/** Brings a tree to what the database says; from the start where a leaf in it has been removed. */
async function catchUp(db: CommonQueryMethods, tree: Tree): Promise<void> {
  if ((await countMembers(db, tree.last)) !== tree.group.size) Object.assign(tree, empty());
  const members = await selectMembers(db, tree.last);
  if (tree.group.size + members.length > capacity) throw full();
  for (let from = 0; from < members.length; from += leavesATurn) {
    tree.group.addMembers(members.slice(from, from + leavesATurn).map(({ commitment }) => fromBytes(commitment)));
    // gives others their turn, and shows Postgres that a transaction is not idle
    await db.query(sql.unsafe`select`);
  }
  tree.last = members.at(-1)?.position ?? tree.last;
}

function empty(): Tree {
  return { group: new Group(), last: 0 };
}

function full(): AppError {
  return new AppError(
    'quota_exceeded',
    `expected fewer than ${capacity} humans, got as many already: the group is full.`,
  );
}
