import { sql } from 'slonik';
import { Type } from 'typebox';
import { changeMission } from '#src/governance/missions/change-mission.ts';
import type { Mission, Step } from '#src/governance/missions/mission-row.ts';
import { readMission, readSteps } from '#src/governance/missions/mission-store.ts';
import { readInputs } from '#src/governance/missions/step-contents.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { endsJob, jobChannel } from '#src/jobs/model/channels.ts';
import { findByKey } from '#src/jobs/submit/find-by-key.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import { openMissionBudget } from '#src/missions/plan/media.ts';
import { anchoredChannel } from '#src/receipts/anchor/leaves.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { advanceMission } from './advance.ts';
import { finish, isEnding } from './end-mission.ts';
import { closeMission, sealMission } from './seal-mission.ts';
import { capabilityOf, plannedStep } from './step-work.ts';

/** Channel on which the next event is published that a mission waits for. */
export interface Awaited {
  readonly channel: string;
  /** Checks whether a message is that event. */
  readonly isIt: (text: string) => boolean;
}

/**
 * Does what there is to do for a mission: takes it on, submits the jobs of steps that run, cancels those of a mission
 * that has ended, seals it. Repeated at any time it does nothing twice.
 */
export async function conduct(context: Context, id: string): Promise<readonly Awaited[]> {
  await changeMission(context, id, (tx, mission, log) => advanceMission(context, tx, mission, log));
  let mission = await readMission(context, id);
  if (mission && isEnding(mission)) {
    await windUp(context, mission);
    mission = await readMission(context, id);
  }
  if (!mission) return [];
  const steps = await readSteps(context, id);
  const isUnderWay = mission.state === 'executing' || mission.state === 'awaiting_human';
  const running = await Promise.all(
    steps.filter(({ state }) => isUnderWay && state === 'running').map((step) => submitStep(context, mission, step)),
  );
  if (mission.finishedAt && mission.executedAt && !mission.sealedAt) await sealMission(context, id);
  else if (mission.finishedAt) await closeMission(context, id);
  const { config } = context;
  const jobs = running.map((job) => ({ channel: jobChannel(config, job), isIt: endsJob }));
  const anchored = { channel: anchoredChannel(config, `receipt:${id}`), isIt: () => true };
  return mission.finishedAt && !mission.closedAt ? [...jobs, anchored] : jobs;
}

/** Submits the job of a step once: the idempotency key finds the one that a crash left unnoted. */
async function submitStep(context: Context, mission: Mission, step: Step): Promise<string> {
  if (step.job !== null) return step.job;
  const { queue, payload, spends } = capabilityOf(mission, plannedStep(mission, step.step));
  if (spends) await openMissionBudget(context, mission);
  const { [step.step]: input } = await readInputs(context, mission.id, [step.step]);
  const { job } = await submit(context, queue, {
    principal: { owner: mission.owner },
    payload: payload({ missionId: mission.id, step: step.step, input: input ?? {} }),
    idempotencyKey: keyOf(mission, step),
  });
  const { rowCount } = await noteJobOf(context, mission, step, job.id);
  // another conductor has ended the step meanwhile: no step waits for this job
  if (rowCount === 0) await stopJob(context, job.id);
  return job.id;
}

/** With a space, which no client's key has. */
const keyOf = ({ id }: Pick<Mission, 'id'>, { step }: Pick<Step, 'step'>) => `mission ${id} ${step}`;

async function noteJobOf({ db }: Pick<Context, 'db'>, { id }: Mission, { step }: Step, job: string) {
  return await db.query(sql.unsafe`
    update mission_steps set job = ${job}
    where mission = ${id} and step = ${step} and state = 'running' and (job is null or job = ${job})`);
}

/**
 * Stops the jobs of a mission that failed or was cancelled, and finishes it then: a job that had ended before has had
 * its effect, and so may one that a crash left unnoted.
 */
async function windUp(context: Context, mission: Mission): Promise<void> {
  const steps = await readSteps(context, mission.id);
  const running = steps.filter(({ state }) => state === 'running');
  await Promise.all(
    running.map(async (step) => {
      const job = step.job ?? (await unnotedJob(context, mission, step));
      if (job !== null) await stopJob(context, job);
    }),
  );
  await changeMission(context, mission.id, (tx, now, log) => finish(context, tx, now, log));
}

async function unnotedJob(context: Context, mission: Mission, step: Step): Promise<string | null> {
  const { queue } = capabilityOf(mission, plannedStep(mission, step.step));
  const job = await findByKey(context, mission.owner, queue.name, keyOf(mission, step));
  if (job) await noteJobOf(context, mission, step, job.id);
  return job?.id ?? null;
}

async function stopJob(context: Context, job: string): Promise<void> {
  await cancelJob(context, job, systemOwner, 'its mission was stopped').catch((error: unknown) => {
    // it has ended
    if (!(error instanceof AppError && (error.code === 'state_conflict' || error.code === 'not_found'))) throw error;
  });
}

const Due = Type.Object({ id: Type.String() });

/**
 * Finds missions that have something to do without a message: after a crash, a lost message, or because of the clock.
 */
export async function dueMissions({ db }: Pick<Context, 'db'>): Promise<readonly string[]> {
  const rows = await db.any(sql.type(row(Due))`
    select m.id from missions m
    where m.sealed_at is null and m.executed_at is not null and (
      m.state in ('sealing', 'failed', 'cancelled')
      or m.state in ('executing', 'awaiting_human') and (
        m.deadline_at <= now()
        or not exists (select from mission_steps s where s.mission = m.id and s.state in ('running', 'awaiting_human'))
        or exists (select from mission_steps s where s.mission = m.id and s.state = 'approved')
        or exists (
          select from mission_steps s left join jobs j on j.id = s.job
          where s.mission = m.id and s.state = 'running' and (s.job is null or j.finished_at is not null))))
    -- what only waits for its seal, perhaps for a signer that is away, holds up no other
    order by m.finished_at is not null, m.id limit 1000`);
  return rows.map(({ id }) => id);
}
