import { type CommonQueryMethods, sql } from 'slonik';
import { Type } from 'typebox';
import { terminalStates } from '#src/jobs/model/states.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type Draft, openDraft } from './draft.ts';
import { EndedJob, missionColumns, missionRow, Step, stepColumns } from './mission-row.ts';

/** Bytes of a result that is read together with others: those of many missions may come at once. */
const SHORT_RESULT = 8_192;

const stepOf = row(
  Type.Object({ ...Step.properties, mission: Type.String(), ended: Type.Union([EndedJob, Type.Null()]) }),
);

/**
 * Locks missions until the transaction ends, in the order of their ids, and reads their steps and how the jobs of these have
 * ended. Every change of a mission holds that lock. One that is not there is left out.
 */
export async function lockMissions(
  tx: CommonQueryMethods,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Draft>> {
  const wanted = sql.array([...ids], 'uuid');
  const missions = await tx.any(
    sql.type(missionRow)`select ${missionColumns} from missions m where m.id = any(${wanted}) order by m.id for update`,
  );
  // in a second statement: the first sees the rows of others as they were before it waited for the lock
  const steps = await tx.any(sql.type(stepOf)`
    select s.mission, ${stepColumns}, case when j.id is not null then json_build_object('id', j.id, 'state', j.state,
      'error', j.error, 'result', case when pg_column_size(j.result) <= ${SHORT_RESULT} then j.result end) end as ended
    from mission_steps s left join jobs j on j.id = s.job and s.state = 'running'
      and j.state = any(${sql.array([...terminalStates], 'text')})
    where s.mission = any(${wanted}) order by s.mission, s.position`);
  const stepsOf = Map.groupBy(steps, ({ mission }) => mission);
  return new Map(
    missions.map((mission) => {
      const rows = stepsOf.get(mission.id) ?? [];
      const plain = rows.map(({ mission: _mission, ended: _ended, ...step }) => step);
      const ended = rows.flatMap((step) => step.ended ?? []);
      return [mission.id, openDraft(mission, plain, ended)] as const;
    }),
  );
}
