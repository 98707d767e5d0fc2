import type { Static } from 'typebox';
import { admitWork } from '#src/access/quota.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { readSteps, type Step } from '#src/jobs/steps/read-steps.ts';
import type { Given } from '#src/jobs/workers/hands.ts';
import { pollWorker } from '#src/jobs/workers/poll.ts';
import { leaseTimes, leaveWorker, registerWorker } from '#src/jobs/workers/remote-worker.ts';
import { applyReports } from '#src/jobs/workers/report.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { InexactInItem } from '#src/lib/text/inexact-integer.ts';
import type { Context } from '#src/system/context.ts';
import type { PollBody, Polled, RegisterBody, Registered, ReportAnswers, ReportList } from './worker-bodies.ts';

/** One call of a worker, over HTTP or a socket: the same functions. */
interface Call<B> {
  readonly context: Context;
  readonly principal: Principal;
  /** Its id; empty where it registers. */
  readonly worker: string;
  readonly body: B;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
}

/** Gives a worker its lease. @throws AppError `not_found` for a queue or version that is none of the caller's */
export async function register(call: Call<RegisterBody>): Promise<Static<typeof Registered>> {
  const { context, principal, body } = call;
  const { name = 'worker', capacity, sdk = null } = body;
  const named = await Promise.all(
    body.queues.map(async ({ name: queue, versions }) => {
      await assertOwnQueue(context, principal, queue);
      for (const version of versions ?? []) await assertOwnQueue(context, principal, queue, version);
      return { name: queue, versions: versions ?? [...registryOf(context).versions(queue)] };
    }),
  );
  const byName = Map.groupBy(named, ({ name: queue }) => queue);
  const queues = [...byName].map(([queue, parts]) => ({
    name: queue,
    versions: [...new Set(parts.flatMap(({ versions }) => versions))],
  }));
  const { owner, keyId } = principal;
  const worker = await registerWorker(context, { owner, keyId, name, takes: queues, capacity, sdk });
  const { leaseMs, beatMs, waitMs } = leaseTimes(context);
  return { worker, lease_ms: leaseMs, beat_ms: beatMs, wait_ms: waitMs, queues };
}

/** A beat and a wish for jobs. @throws AppError `not_found` where the lease is lost */
export async function poll(call: Call<PollBody>): Promise<Static<typeof Polled>> {
  const { context, principal, worker, body, signal } = call;
  const { credits, jobs: inHand, wait_ms: waitMs = Number.POSITIVE_INFINITY } = body;
  const { given, stop } = await pollWorker(context, {
    worker,
    owner: principal.owner,
    credits,
    waitMs,
    inHand,
    signal,
  });
  const steps = await readSteps(context, given);
  return { jobs: given.map((job) => handed(context, job, steps.get(job.id) ?? [])), stop: [...stop] };
}

/** Reports with the integers of each that would be changed, by its place: its text tells, its values do not. */
interface ReportCall extends Call<ReportList> {
  readonly inexact: ReadonlyMap<number, InexactInItem>;
}

/** Applies reports of attempts; answers them one by one. */
export async function report(call: ReportCall): Promise<Static<typeof ReportAnswers>> {
  const { context, principal, worker, body, inexact } = call;
  const reporter = { worker, owner: principal.owner };
  const said = { reports: body.reports, inexact };
  return { answers: [...(await applyReports(context, reporter, said, admitWork(context)))] };
}

/** Ends a worker's lease. @throws AppError `not_found` */
export async function leave({ context, principal, worker }: Call<unknown>): Promise<null> {
  await leaveWorker(context, worker, principal.owner);
  return null;
}

function handed(context: Context, job: Given, steps: readonly Step[]): Static<typeof Polled>['jobs'][number] {
  const { id, attempt, queue, version, token, payload, failures, createdAt, startedAt, trace } = job;
  const timeoutMs = registryOf(context).get(queue, version)?.timeoutMs ?? 60_000;
  return {
    id,
    attempt,
    queue,
    version,
    token,
    payload,
    failures,
    created_at: createdAt.toISOString(),
    deadline: new Date(startedAt.getTime() + timeoutMs).toISOString(),
    steps: [...steps],
    trace,
  };
}
