import type { QueueContract } from '#queues/define.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { noQueue, registryOf } from './registry.ts';

/**
 * Returns the contract of a registered queue in a namespace of the caller's owner, of its newest version where
 * none is named. Built-in queues are in none.
 *
 * @throws AppError `not_found` for every other name, as if there were no such queue: names must not be confirmed to
 *   strangers.
 */
export async function assertOwnQueue(
  context: Context,
  { owner }: Pick<Principal, 'owner'>,
  name: string,
  version?: number,
  field?: string,
): Promise<QueueContract> {
  const registry = registryOf(context);
  const contract = await registry.find(name, version);
  if (contract && registry.ownerOf(name) === owner) return contract;
  if (version !== undefined && contract === undefined && registry.ownerOf(name) === owner && registry.get(name))
    throw noVersion(context, name, version);
  throw noQueue(name, field);
}

function noVersion(context: Context, name: string, version: number): AppError {
  const there = registryOf(context).versions(name).join(', ');
  return new AppError('not_found', `expected a version of ${name} that is registered (${there}), got ${version}.`, {
    field: 'version',
    value: version,
  });
}

/**
 * Checks whether callers of an owner may know of a queue: a built-in one, or one in a namespace of theirs. Operators, for
 * whom the owner is null, may know of every one.
 */
export function mayKnow(context: Context, owner: string | null, name: string): boolean {
  const owning = registryOf(context).ownerOf(name);
  return owner === null || owning === null || owning === owner;
}
