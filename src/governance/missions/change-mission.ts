import type { DatabaseTransactionConnection } from 'slonik';
import { readEpoch } from '#src/jobs/model/epoch.ts';
import type { Context } from '#src/system/context.ts';
import { publisherOf } from '#src/system/redis/redis-cluster.ts';
import { type MissionLog, openMissionLog } from './mission-log.ts';
import type { Mission } from './mission-row.ts';
import { lockMission } from './mission-store.ts';

/** Channel on which the events of a mission are published. */
export function missionChannel({ REDIS_PREFIX }: Context['config'], id: string): string {
  return `${REDIS_PREFIX}:mission:${id}`;
}

/** Channel that names missions that have something to do, for their conductors. */
export function missionsChannel({ REDIS_PREFIX }: Context['config']): string {
  return `${REDIS_PREFIX}:missions`;
}

/**
 * Changes one mission under the lock of its row, so that two processes cannot fork its chain: what `work` does in the
 * transaction and the events it adds are committed together, or not at all; then they are published.
 *
 * @throws AppError `not_found`, and what `work` throws.
 */
export async function changeMission<T>(
  context: Context,
  id: string,
  work: (tx: DatabaseTransactionConnection, mission: Mission, log: MissionLog) => Promise<T>,
): Promise<T> {
  const { answer, events } = await context.db.transaction(async (tx) => {
    const mission = await lockMission(tx, id);
    const log = openMissionLog(mission);
    return { answer: await work(tx, mission, log), events: await log.write(tx) };
  });
  if (events.length > 0) await tellMission(context, id, events);
  return answer;
}

/** Publishes events that are committed. One that is lost is found by its followers when they next compare. */
export async function tellMission(
  context: Context,
  id: string,
  events: readonly { readonly seq: number; readonly type: string; readonly at: string; readonly data: unknown }[],
): Promise<void> {
  const { redis, config, log } = context;
  try {
    const epoch = await readEpoch(context);
    const pipeline = publisherOf(redis).pipeline();
    for (const { seq, type, at, data } of events)
      pipeline.publish(missionChannel(config, id), JSON.stringify({ epoch, n: seq + 1, type, at, data }));
    pipeline.publish(missionsChannel(config), id);
    await pipeline.exec();
  } catch (error) {
    log.debug({ err: error, mission: id }, 'a publication was lost');
  }
}
