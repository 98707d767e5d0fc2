import { type CommonQueryMethods, sql } from 'slonik';
import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type Mission, missionColumns, missionRow, type Step, stepColumns, stepRow } from './mission-row.ts';
import { type MissionMove, missionMoves } from './mission-states.ts';
import type { StepInFull } from './step-contents.ts';

type Db = { readonly db: CommonQueryMethods };

export async function readMission({ db }: Db, id: string): Promise<Mission | null> {
  return await db.maybeOne(sql.type(missionRow)`select ${missionColumns} from missions m where m.id = ${id}`);
}

/**
 * The mission with its row locked until the transaction ends: every change of a mission holds that lock. @throws
 * AppError `not_found`.
 */
export async function lockMission(tx: CommonQueryMethods, id: string): Promise<Mission> {
  const mission = await tx.maybeOne(
    sql.type(missionRow)`select ${missionColumns} from missions m where m.id = ${id} for update`,
  );
  if (mission) return mission;
  throw new AppError('not_found', `No mission has the id ${id}.`, { mission: id });
}

/** In the order of the plan, without what they took and gave. */
export async function readSteps({ db }: Db, mission: string): Promise<readonly Step[]> {
  return await db.any(
    sql.type(stepRow)`select ${stepColumns} from mission_steps s where s.mission = ${mission} order by s.position`,
  );
}

/** Checks whether a step runs, in a mission that has not ended: only then may its job do anything. */
export async function isUnderWay({ db }: Db, mission: string, step: string): Promise<boolean> {
  return await db.exists(sql.unsafe`
    select from mission_steps s join missions m on m.id = s.mission
    where m.id = ${mission} and s.step = ${step} and s.state = 'running' and m.state in ('executing', 'awaiting_human')`);
}

/**
 * Moves a mission whose row is locked.
 *
 * @throws AppError `state_conflict` naming the states that allow the move.
 */
export async function moveMission(tx: CommonQueryMethods, { id, state }: Mission, move: MissionMove): Promise<void> {
  const { from, to } = missionMoves[move];
  if (!from.some((one) => one === state))
    throw new AppError(
      'state_conflict',
      `expected a mission that is ${from.join(' or ')}, got one that is ${state}: it cannot ${move}.`,
      { mission: id, state },
    );
  await tx.query(sql.unsafe`update missions set state = ${to} where id = ${id}`);
}

export type StepChange = Partial<
  Pick<
    StepInFull,
    'input' | 'effect' | 'challenge' | 'job' | 'output' | 'outputLength' | 'outputHash' | 'human' | 'error'
  >
>;
const json = new Set(['input', 'output', 'human', 'error', 'challenge']);
const columnOf: Readonly<Record<string, string>> = { outputHash: 'output_hash', outputLength: 'output_length' };

/** Sets the state of a step and what else is given. `started_at` and `finished_at` follow from the state. */
export async function setStep(
  tx: CommonQueryMethods,
  mission: string,
  step: string,
  state: Step['state'],
  change: StepChange = {},
): Promise<void> {
  const sets = Object.entries(change).map(([name, value]) => {
    const column = sql.identifier([columnOf[name] ?? name]);
    return json.has(name)
      ? sql.fragment`, ${column} = ${value === null ? null : JSON.stringify(value)}::jsonb`
      : sql.fragment`, ${column} = ${value as string | number | null}`;
  });
  await tx.query(sql.unsafe`
    update mission_steps set state = ${state}${sets.length > 0 ? sql.join(sets, sql.fragment``) : sql.fragment``},
      started_at = case when ${state} = 'running' then coalesce(started_at, now()) else started_at end,
      finished_at = case when ${state} = any(array['succeeded', 'failed', 'cancelled', 'skipped']) then now() else null end
    where mission = ${mission} and step = ${step}`);
}

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
