import { type CommonQueryMethods, sql } from 'slonik';
import { Type } from 'typebox';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type Mission, missionColumns, missionRow, type Step, stepColumns, stepRow } from './mission-row.ts';

type Db = { readonly db: CommonQueryMethods };

export async function readMission({ db }: Db, id: string): Promise<Mission | null> {
  return await db.maybeOne(sql.type(missionRow)`select ${missionColumns} from missions m where m.id = ${id}`);
}

/** In the order of the plan, without what they took and gave. */
export async function readSteps({ db }: Db, mission: string): Promise<readonly Step[]> {
  return await db.any(
    sql.type(stepRow)`select ${stepColumns} from mission_steps s where s.mission = ${mission} order by s.position`,
  );
}

interface RunningStep {
  readonly mission: string;
  readonly step: string;
}

const Place = Type.Object({ place: Type.Integer() });

/**
 * Checks whether a step runs, in a mission that has not ended: only then may its job do anything. Steps that are asked about
 * at one moment share a statement.
 */
export const isUnderWay = perContext(({ db }: Context) =>
  lanes<RunningStep, boolean>(async (steps) => {
    const found = await db.any(sql.type(row(Place))`
      select g.place::int4
      from unnest(${plainArray(steps.map(({ mission }) => mission))}::uuid[],
          ${textArray(steps.map(({ step }) => step))}::text[]) with ordinality as g (mission, step, place)
        join mission_steps s on s.mission = g.mission and s.step = g.step join missions m on m.id = s.mission
      where s.state = 'running' and m.state in ('executing', 'awaiting_human')`);
    const places = new Set(found.map(({ place }) => place));
    return steps.map((_step, index) => ({ status: 'fulfilled', value: places.has(index + 1) }));
  }),
);

/** Missions of an owner, newest first, `limit` and one more where there are more; those with ids below `before`. */
export async function listMissions(
  { db }: Db,
  { owner, before, limit }: { readonly owner: string; readonly before: string | null; readonly limit: number },
): Promise<readonly Mission[]> {
  return await db.any(sql.type(missionRow)`
    select ${missionColumns} from missions m
    where m.owner = ${owner} and (${before}::uuid is null or m.id < ${before}::uuid) order by m.id desc limit ${limit + 1}`);
}

const Requested = Type.Object({ id: Type.String(), same: Type.Boolean() });

/** The mission that an owner requested under an idempotency key, and whether it was the same request. */
export async function findRequested(
  { db }: Db,
  owner: string,
  key: string,
  requestHash: Buffer,
): Promise<{ readonly id: string; readonly same: boolean } | null> {
  return await db.maybeOne(sql.type(row(Requested))`
    select id, request_hash = ${sql.binary(requestHash)} as same from missions
    where owner = ${owner} and idempotency_key = ${key}`);
}
