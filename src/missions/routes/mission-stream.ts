import { sql } from 'slonik';
import { Type } from 'typebox';
import { missionChannel } from '#src/governance/missions/change-mission.ts';
import { readMissionEvents } from '#src/governance/missions/mission-log.ts';
import { readMission, readSteps } from '#src/governance/missions/mission-store.ts';
import type { Position, StreamKind, StreamSource } from '#src/http/streams/stream-source.ts';
import { readEpoch } from '#src/jobs/model/epoch.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { missionInBrief } from './mission-view.ts';

const Numbers = Type.Object({ id: Type.String(), n: Type.Integer(), ended: Type.Boolean() });

const missionStreams = perContext((context): StreamKind => {
  const positions = async (ids: readonly string[]): Promise<ReadonlyMap<string, Position>> => {
    const [epoch, rows] = await Promise.all([
      readEpoch(context),
      context.db.any(sql.type(row(Numbers))`
        select id, events as n, closed_at is not null as ended from missions where id = any(${sql.array([...ids], 'uuid')})`),
    ]);
    return new Map(rows.map(({ id, n, ended }) => [id, { epoch, n, ended }]));
  };
  return { name: 'mission', positions, ends: (type) => type === 'mission.closed' };
});

/** The events of one mission, to its anchor. Its caller has checked that the client may see it. */
export function missionStream(context: Context, id: string): StreamSource {
  return {
    channel: missionChannel(context.config, id),
    kind: missionStreams(context),
    key: id,
    // a stream counts from 1, the chain from 0
    replay: async (after, limit) =>
      (await readMissionEvents(context, id, after, limit)).map(({ seq, type, at, data }) => ({
        n: seq + 1,
        type,
        at,
        data,
      })),
    snapshot: async () => {
      const [epoch, mission] = await Promise.all([readEpoch(context), readMission(context, id)]);
      if (!mission) return null;
      // outputs of steps are not in it: a client reads them from the mission itself
      const data = missionInBrief(mission, await readSteps(context, id));
      return { epoch, n: mission.events, ended: mission.closedAt !== null, data };
    },
  };
}
