import { sql } from 'slonik';
import { Type } from 'typebox';
import { changeMission } from '#src/governance/missions/change-mission.ts';
import type { Draft } from '#src/governance/missions/draft.ts';
import type { Mission, Step } from '#src/governance/missions/mission-row.ts';
import { readInputs } from '#src/governance/missions/step-contents.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { endsJob, jobChannel } from '#src/jobs/model/channels.ts';
import { findByKey } from '#src/jobs/submit/find-by-key.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import { AppError } from '#src/lib/errors.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import { openMissionBudget } from '#src/missions/plan/media.ts';
import { anchoredChannel, confirmedAnchor } from '#src/receipts/anchor/leaves.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { advanceMission } from './advance.ts';
import { finish, isEnding } from './end-mission.ts';
import { closeMission, sealMission } from './seal-mission.ts';
import { capabilityOf, plannedStep } from './step-work.ts';

/** Event that a mission waits for, which is published on a channel. */
export interface Awaited {
  readonly channel: string;
  /** Checks whether a message is that event. */
  readonly isIt: (text: string) => boolean;
  /** Checks whether it has come already. */
  readonly hasCome: () => Promise<boolean>;
}

/**
 * Does what there is to do for a mission: takes it on, submits the jobs of steps that run, cancels those of a mission
 * that has ended, seals it. Repeated at any time it does nothing twice.
 */
export async function conduct(context: Context, id: string): Promise<readonly Awaited[]> {
  const draft = await changeMission(context, id, async (tx, open) => {
    await advanceMission({ context, tx, draft: open });
    return open;
  });
  const { mission, steps } = isEnding(draft.mission) ? await windUp(context, draft) : draft;
  const isUnderWay = mission.state === 'executing' || mission.state === 'awaiting_human';
  const running = await Promise.all(
    [...steps.values()]
      .filter(({ state }) => isUnderWay && state === 'running')
      .map((step) => submitStep(context, mission, step, draft.inputs.get(step.step))),
  );
  if (mission.finishedAt && mission.executedAt && !mission.sealedAt) await sealMission(context, id);
  else if (mission.finishedAt) await closeMission(context, id);
  const { config } = context;
  const jobs = running.map((job) => ({
    channel: jobChannel(config, job),
    isIt: endsJob,
    hasCome: async () => await hasEnded(context)(job),
  }));
  const leaf = `receipt:${id}` as const;
  const anchored = {
    channel: anchoredChannel(config, leaf),
    isIt: () => true,
    hasCome: async () => (await confirmedAnchor(context)(leaf)) !== null,
  };
  return mission.finishedAt && !mission.closedAt ? [...jobs, anchored] : jobs;
}

const Id = Type.Object({ id: Type.String() });

/** Checks whether a job has ended, together with those that others ask about. */
const hasEnded = perContext((context: Context) =>
  lanes<string, boolean>(async (jobs) => {
    const ended = await context.db.any(sql.type(row(Id))`
      select id from jobs where id = any(${sql.array([...jobs], 'uuid')}) and finished_at is not null`);
    return amongThem(ended, jobs);
  }),
);

function amongThem(
  found: readonly { readonly id: string }[],
  ids: readonly string[],
): readonly PromiseFulfilledResult<boolean>[] {
  const known = new Set(found.map(({ id }) => id));
  return ids.map((id) => ({ status: 'fulfilled', value: known.has(id) }));
}

/** Submits the job of a step once: the idempotency key finds the one that a crash left unnoted. */
async function submitStep(
  context: Context,
  mission: Mission,
  step: Step,
  known: Readonly<Record<string, unknown>> | undefined,
): Promise<string> {
  if (step.job !== null) return step.job;
  const { queue, payload, spends } = capabilityOf(mission, plannedStep(mission, step.step));
  if (spends) await openMissionBudget(context, mission);
  const input = known ?? (await readInputs(context, mission.id, [step.step]))[step.step] ?? {};
  const { job } = await submit(context, queue, {
    principal: { owner: mission.owner },
    payload: payload({ missionId: mission.id, step: step.step, input }),
    idempotencyKey: keyOf(mission, step),
  });
  const isNoted = await noteJobOf(context)({ mission: mission.id, step: step.step, job: job.id });
  // another conductor has ended the step meanwhile: no step waits for this job
  if (!isNoted) await stopJob(context, job.id);
  return job.id;
}

/** With a space, which no client's key has. */
const keyOf = ({ id }: Pick<Mission, 'id'>, { step }: Pick<Step, 'step'>) => `mission ${id} ${step}`;

interface StepJob {
  readonly mission: string;
  readonly step: string;
  readonly job: string;
}

/** Notes the job of a step that runs, those of one moment together; false where the step has ended. */
const noteJobOf = perContext((context: Context) =>
  lanes<StepJob, boolean>(async (jobs) => {
    // two conductors may note the same job at once, and the row of its step is updated once
    const noted = await context.db.any(sql.type(row(Id))`
      update mission_steps s set job = g.job
      from unnest(${plainArray(jobs.map(({ mission }) => mission))}::uuid[],
        ${textArray(jobs.map(({ step }) => step))}::text[], ${plainArray(jobs.map(({ job }) => job))}::uuid[])
        as g (mission, step, job)
      where s.mission = g.mission and s.step = g.step and s.state = 'running' and (s.job is null or s.job = g.job)
      returning s.job as id`);
    return amongThem(
      noted,
      jobs.map(({ job }) => job),
    );
  }),
);

/**
 * Stops the jobs of a mission that failed or was cancelled, and finishes it then: a job that had ended before has had
 * its effect, and so may one that a crash left unnoted.
 */
async function windUp(context: Context, { mission, steps }: Draft): Promise<Draft> {
  const running = [...steps.values()].filter(({ state }) => state === 'running');
  await Promise.all(
    running.map(async (step) => {
      const job = step.job ?? (await unnotedJob(context, mission, step));
      if (job !== null) await stopJob(context, job);
    }),
  );
  return await changeMission(context, mission.id, async (tx, draft) => {
    await finish({ context, tx, draft });
    return draft;
  });
}

async function unnotedJob(context: Context, mission: Mission, step: Step): Promise<string | null> {
  const { queue } = capabilityOf(mission, plannedStep(mission, step.step));
  const job = await findByKey(context, mission.owner, queue.name, keyOf(mission, step));
  if (job) await noteJobOf(context)({ mission: mission.id, step: step.step, job: job.id });
  return job?.id ?? null;
}

async function stopJob(context: Context, job: string): Promise<void> {
  await cancelJob(context, job, systemOwner, 'its mission was stopped').catch((error: unknown) => {
    // it has ended
    if (!(error instanceof AppError && (error.code === 'state_conflict' || error.code === 'not_found'))) throw error;
  });
}

/**
 * Finds missions that have something to do without a message: after a crash, a lost message, or because of the clock.
 */
export async function dueMissions({ db }: Pick<Context, 'db'>): Promise<readonly string[]> {
  const rows = await db.any(sql.type(row(Id))`
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
