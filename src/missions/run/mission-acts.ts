import { sql } from 'slonik';
import { Type } from 'typebox';
import { StoredEvent } from '#src/governance/missions/mission-log.ts';
import { type Mission, missionColumns, missionRow, Step, stepColumns } from '#src/governance/missions/mission-row.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import { type Asset, listAssetsOfJobs } from '#src/providers/assets/assets.ts';
import type { MissionEvent } from '#src/receipts/format/receipt-schema.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Everything that the receipt of a mission is made of. */
export interface MissionActs {
  readonly mission: Mission;
  /** The closed chain. */
  readonly events: readonly MissionEvent[];
  readonly steps: readonly Step[];
  /** Made by its steps, in the order of these. */
  readonly assets: readonly Asset[];
}

/** Missions that are read together: each may have fifty steps, with an event or two each. */
const MOST = 64;

const eventOf = row(Type.Object({ ...StoredEvent.properties, mission: Type.String() }));
const stepOf = row(Type.Object({ ...Step.properties, mission: Type.String() }));

/** Reads the acts of missions whose chains are closed, those of one moment together; null where there is no mission. */
export const actsOf = perContext((context: Context) =>
  lanes<string, MissionActs | null>(
    async (ids) => {
      const { db } = context;
      const wanted = sql.array([...ids], 'uuid');
      const [missions, events, steps] = await Promise.all([
        db.any(sql.type(missionRow)`select ${missionColumns} from missions m where m.id = any(${wanted})`),
        db.any(sql.type(eventOf)`
          select e.mission, e.seq, e.type, e.at, e.data, e.prev, e.hash
          from mission_events e where e.mission = any(${wanted}) and e.hash is not null order by e.mission, e.seq`),
        db.any(sql.type(stepOf)`
          select s.mission, ${stepColumns} from mission_steps s
          where s.mission = any(${wanted}) order by s.mission, s.position`),
      ]);
      const assets = await listAssetsOfJobs(
        context,
        steps.flatMap(({ job }) => job ?? []),
      );
      const missionOf = new Map(missions.map((mission) => [mission.id, mission]));
      const eventsOf = Map.groupBy(events, ({ mission }) => mission);
      const stepsOf = Map.groupBy(steps, ({ mission }) => mission);
      const assetsOf = Map.groupBy(assets, ({ job }) => job);
      return ids.map((id) => {
        const mission = missionOf.get(id);
        if (!mission) return { status: 'fulfilled', value: null };
        const ofMission = stepsOf.get(id) ?? [];
        const value = {
          mission,
          events: (eventsOf.get(id) ?? []).map(({ mission: _mission, ...event }) => event as MissionEvent),
          steps: ofMission,
          assets: ofMission.flatMap(({ job }) => (job === null ? [] : (assetsOf.get(job) ?? []))),
        };
        return { status: 'fulfilled', value };
      });
    },
    { size: MOST },
  ),
);
