import type { FastifyRequest } from 'fastify';
import type { Mission } from '#src/governance/missions/mission-row.ts';
import { readMission } from '#src/governance/missions/mission-store.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';

/**
 * The mission of this id, where the caller is its owner.
 *
 * @throws AppError `not_found` for everybody else, as if it did not exist: ids must not be confirmed to strangers.
 */
export async function ownMission(context: Context, request: FastifyRequest, id: string): Promise<Mission> {
  return await missionOf(context, principalOf(request), id);
}

/** As {@link ownMission}, for callers without a request. */
export async function missionOf(context: Context, { owner }: Pick<Principal, 'owner'>, id: string): Promise<Mission> {
  const mission = await readMission(context, id);
  if (mission?.owner === owner) return mission;
  throw new AppError('not_found', `expected the id of one of your missions, got ${id}, which is none.`, {
    field: 'path.id',
    value: id,
  });
}
