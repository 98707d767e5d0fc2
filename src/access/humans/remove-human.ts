import { changeGroup } from '#src/access/humans/semaphore/group.ts';
import { revokeKeysOf, updateRemoved } from '#src/access/humans/store/human-store.ts';
import { announcePurge } from '#src/access/keys/purge.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Removes a human for good: their proofs and all their keys are refused by every process after 5 s at the latest. The
 * proofs of others that are on their way are refused as well, and have to be made against the new group.
 *
 * @throws AppError `not_found` for an id that does not exist, or was removed before.
 */
export async function removeHuman(context: Context, id: string): Promise<{ readonly keys: readonly string[] }> {
  if (!/^[0-9a-f]{64}$/.test(id)) throw unknown(id);
  const keys = await changeGroup(context, 'remove', async (tx) => {
    if (!(await updateRemoved(tx, Buffer.from(id, 'hex')))) throw unknown(id);
    // a statement of its own: it sees the keys that were minted while the one above waited for them
    return await revokeKeysOf(tx, id);
  });
  await Promise.all(keys.map((key) => announcePurge(context, key)));
  return { keys };
}

function unknown(id: string): AppError {
  return new AppError(
    'not_found',
    `expected the id of a human who has not been removed, got ${JSON.stringify(id.slice(0, 80))}.`,
    {
      field: 'id',
      value: id.slice(0, 80),
    },
  );
}
