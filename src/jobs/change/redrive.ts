import { randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { flowQueue } from '#queues/flows.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import type { Job } from '#src/jobs/model/job.ts';
import type { UnknownEffectDecisions } from '#src/jobs/model/unknown-effects.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { changeJob } from './change-job.ts';

/** True for a job whose decision was used: it was about one run, which has begun. */
export const isDecided = sql.fragment`coalesce(j.terms ? 'approval' and j.attempt > 0, false)`;

/** Changes of a job that begins anew with all its attempts. */
export const clean = sql.fragment`
  dispatch = j.dispatch + 1, failures = 0, lone_deaths = 0, error = null, finished_at = null, queued_at = now(), run_at = now(),
  gate = case when ${isDecided} then 'ask' when j.terms ? 'budget' then 'reserve' end,
  held = coalesce(j.terms ? 'budget', false) and not ${isDecided} or j.queue = ${flowQueue.name}`;

/**
 * Puts a failed job back into its queue with all its attempts. A job that was quarantined still runs alone; one that
 * has used the decision which its terms want waits for another one, since that was about one run.
 *
 * @param move `rerun` for a flow, which may have been cancelled as well
 * @throws AppError `not_found`, or `state_conflict` when the job has not failed, or when an effect's outcome is unknown
 *   and `effects` does not say what a human found, or when its flow has ended: the flow is redriven then.
 */
export async function redriveJob(
  context: Context,
  id: string,
  by: string,
  effects?: UnknownEffectDecisions,
  move: 'redrive' | 'rerun' = 'redrive',
): Promise<Job> {
  const { db } = context;
  const { was: _was, ...job } = await db.transaction(async (transaction) => {
    await assertNoEndedFlow(transaction, id);
    const asksAgain = await assertSettled(transaction, id);
    const changed = await changeJob({ db: transaction }, id, asksAgain ? 'reask' : move, {
      event: 'redriven',
      data: { by },
      set: asksAgain ? sql.fragment`${clean}, approval_id = ${randomUUIDv7()}` : sql.fragment`${clean}, feed = 'fed'`,
    });
    if (changed.receipt === 'sealed') throw sealed(id);
    await decideUnknown(transaction, id, effects);
    return changed;
  });
  // a decision is asked for, and money for another go reserved, first
  if (job.state === 'queued' && !job.held) openBroker(context).add(job);
  return job;
}

const Flow = Type.Object({ id: Type.String(), state: Type.String() });
const Ended = Type.Object({ gate: Type.Union([Type.String(), Type.Null()]), asksAgain: Type.Boolean() });

/**
 * Money of a job that has ended is settled within a second; until then another reservation would be lost. Answers whether
 * the job has used its decision, and waits for another one.
 */
async function assertSettled(tx: CommonQueryMethods, id: string): Promise<boolean> {
  const job = await tx.maybeOne(sql.type(row(Ended))`
    select gate, ${isDecided} as "asksAgain" from jobs j where id = ${id} and state = 'failed' for update`);
  if (job?.gate !== 'reserved') return job?.asksAgain === true;
  throw new AppError(
    'state_conflict',
    'Expected a job whose money is settled, got one of which it is being settled: try again in a second.',
    { job: id },
  );
}

/** True for a job of a flow that failed or was cancelled: run again by itself, it would be of no use to the flow. */
export const isOfEndedFlow = sql.fragment`(j.flow_item is not null and exists (
  select from jobs f where f.id = j.parent_id and f.queue = ${flowQueue.name} and f.state in ('failed', 'cancelled')))`;

/** The flow is held first, as everywhere: it does not end meanwhile. */
async function assertNoEndedFlow(tx: CommonQueryMethods, id: string): Promise<void> {
  const flow = await tx.maybeOne(sql.type(row(Flow))`
    select f.id, f.state from jobs f
    where f.id = (select parent_id from jobs where id = ${id} and flow_item is not null) and f.queue = ${flowQueue.name} for share`);
  if (!flow || !(flow.state === 'failed' || flow.state === 'cancelled')) return;
  throw new AppError(
    'state_conflict',
    `Expected a job whose flow has not ended, got one of the flow ${flow.id}, which is ${flow.state}: redrive that (POST /v1/flows/${flow.id}/redrive), which keeps what succeeded and runs this job again.`,
    { job: id, flow: flow.id, state: flow.state },
  );
}

function sealed(id: string): AppError {
  return new AppError(
    'state_conflict',
    'Expected a job whose end is not sealed, got one with a receipt of its failure: submit its work anew.',
    { job: id },
  );
}

async function decideUnknown(
  db: CommonQueryMethods,
  id: string,
  effects: UnknownEffectDecisions | undefined,
): Promise<void> {
  const unknown = await db.anyFirst(sql.type(row(Type.Object({ effect: Type.String() })))`
    select effect from effects where job = ${id} and state = 'unknown' order by effect for update`);
  if (unknown.length === 0) return;
  if (effects === undefined) {
    throw new AppError(
      'state_conflict',
      `It is not known whether ${unknown.join(', ')} took effect: look at the provider, then redrive with "unknown_effects" set to "send_again" or "assume_done".`,
      { job: id, effects: unknown },
    );
  }
  await db.query(
    effects === 'send_again'
      ? sql.unsafe`delete from effects where job = ${id} and state = 'unknown'`
      : sql.unsafe`update effects set state = 'done', decided_at = now(), outcome = '{}' where job = ${id} and state = 'unknown'`,
  );
}
