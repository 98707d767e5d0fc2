import { isStorable } from '#src/lib/assert-storable.ts';
import { atPointer } from '#src/lib/json-pointer.ts';

const LONGEST_GROUP = 200;

/**
 * Returns the group that a contract finds for a job in its payload; null for the owner's group: where the contract has no
 * pointer, or it leads to nothing, to an object, a list or null, or to a text that is no name of a group.
 */
export function groupAt(pointer: string | null, payload: unknown): string | null {
  if (pointer === null) return null;
  const value = atPointer(payload, pointer);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const name = String(value);
  return name.length > 0 && name.length <= LONGEST_GROUP && isStorable(name) ? name : null;
}
