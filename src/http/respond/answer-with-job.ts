import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Payload, QueueContract, Result } from '#queues/define.ts';
import { jobFailure } from '#src/access/job-result.ts';
import { admitWork } from '#src/access/quota.ts';
import { clientGone } from '#src/http/request/client-gone.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { parsePrefer } from '#src/http/request/negotiate.ts';
import { requestText } from '#src/http/request/request-text.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { showJob } from '#src/http/views/show-job.ts';
import { wholeJob } from '#src/jobs/contents/whole-job.ts';
import { idleWarning } from '#src/jobs/figures/queue-workers.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { jobPath } from '#src/jobs/model/job-view.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { waitForJob } from '#src/jobs/read/wait-for-job.ts';
import { findByKey } from '#src/jobs/submit/find-by-key.ts';
import { repeatedJob, requestHash } from '#src/jobs/submit/find-repeated.ts';
import { type SubmissionOptions, submit } from '#src/jobs/submit/submit.ts';
import { onlyMeets } from '#src/jobs/submit/unique.ts';
import type { Context } from '#src/system/context.ts';

/** Headers of every POST that creates work; spread into a route's `headers` schema where it has more. */
export const WorkHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,255}$',
      description:
        'The same owner and key gives the same job, so a request can be repeated safely. 1 to 255 visible ASCII characters',
    }),
  ),
  prefer: Type.Optional(
    Type.String({
      maxLength: 500,
      description: '`respond-async` for an answer at once, `wait=N` for a wait of at most N seconds (RFC 7240)',
    }),
  ),
});

/** Headers of a GET that may have to wait for work. */
export const WaitHeaders = Type.Pick(WorkHeaders, ['prefer']);

/** The 202 of every route that creates work; for its `response` schema. */
export const acceptedResponse = {
  202: Type.Ref('Job', { description: 'Accepted and still at work; `Location` is the job' }),
};

interface Work<Q extends QueueContract> {
  /**
   * Makes the payload. Under a client's key it is called for new work alone: a repeated request gets the job that its
   * key names. Under a key of our own it must give the same each time.
   */
  readonly payload: () => Payload<Q> | Promise<Payload<Q>>;
  /**
   * Called where no new job comes of the request after all, though `payload` was: what it has brought about is undone.
   */
  readonly refused?: () => Promise<void>;
  /** Path of the route in its own name, where it has several: under any of them a repetition is recognised. */
  readonly path?: string;
  /** Makes everything of the submission that is the caller's to say, beside payload and key; for new work alone. */
  readonly options?: () => SubmissionOptions | Promise<SubmissionOptions>;
  /** Writes the request as one text, equal for a repetition; that of its route, parameters and body without it. */
  readonly asked?: () => string;
  /**
   * A key of our own instead of the client's, for work that is not requested twice; with a space, which no client's
   * has.
   */
  readonly idempotencyKey?: string;
  /** The body of the 200 answer, or a promise of it, from the result; the result itself without it. */
  readonly present?: (result: Result<Q>, job: Job) => unknown;
  /** The body of the 202 answer; the job itself without it. */
  readonly pending?: (job: Job) => unknown;
  /**
   * Called once the job is stored, before the wait for it: what the request held is needed no more. Under a client's
   * key a repeated request calls it again.
   */
  readonly accepted?: (job: Job) => void | Promise<void>;
}

/**
 * Submits work, waits for it, and answers: 200 with the result, 202 with the job when it takes longer than the client
 * wants to wait, or the job's failure as the problem it is. Needs {@link WorkHeaders} in the route's schema.
 *
 * @throws AppError `quota_exceeded`, `idempotency_conflict`, `invalid_payload`, `unavailable`, what `payload` throws,
 *   `content_lost`, or what the job failed with.
 */
export async function answerWithJob<Q extends QueueContract>(
  edge: { readonly context: Context; readonly hub: Hub },
  request: FastifyRequest,
  reply: FastifyReply,
  queue: Q,
  work: Work<Q>,
): Promise<FastifyReply> {
  const { context, hub } = edge;
  const { present = (result) => result, pending } = work;
  const { waitMs, applied } = parsePrefer(textOf(request.headers['prefer']), context.config.WAIT_MS);
  const job = await acceptJob(context, request, reply, queue, work);
  if (applied) reply.header('preference-applied', applied);
  const isWaiting = waitMs > 0 && !isTerminal(job.state);
  const last =
    (isWaiting
      ? await waitForJob(context, hub, job.id, waitMs, AbortSignal.any([clientGone(reply), hub.stopping]))
      : job) ?? job;
  if (last.state === 'succeeded') {
    const whole = await wholeJob(context, last);
    return await reply.code(200).send(await present(whole.result as Result<Q>, whole));
  }
  if (last.state === 'failed' || last.state === 'cancelled') throw jobFailure(last);
  if (last !== job) await warn(context, reply, last);
  return await reply
    .code(202)
    .header('location', jobPath(last.id))
    .send(pending ? pending(last) : await showJob(context, last));
}

/**
 * Submits the work of a request, without waiting for it: the job as it is now. Needs {@link WorkHeaders} in the route's
 * schema.
 *
 * @throws AppError `quota_exceeded`, `idempotency_conflict`, `invalid_payload`, `unavailable`, or what `payload`
 *   throws.
 */
export async function acceptJob<Q extends QueueContract>(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  queue: Q,
  { payload, path, options, asked, idempotencyKey, refused = async () => {}, accepted = () => {} }: Work<Q>,
): Promise<Job> {
  const principal = principalOf(request);
  const key = idempotencyKey ?? textOf(request.headers['idempotency-key']);
  const known = key === undefined ? null : await findByKey(context, principal.owner, queue.name, key);
  // a repeated request is no new work
  const fresh = known ? undefined : await options?.();
  // what the queue is full for is found out before its payload is made, unless its unique key is made of that
  let made: Promise<Payload<Q>> | undefined;
  const makePayload = async () => await (made ??= Promise.resolve(payload()));
  const none = async () => await onlyMeets(context, queue, principal.owner, fresh?.unique, makePayload);
  if (!known)
    await admitWork(context)(principal, queue.name, fresh?.group, { none }).catch(async (error: unknown) => {
      if (made) await refused();
      throw error;
    });
  const text = key === undefined || idempotencyKey !== undefined ? null : (asked?.() ?? askedText(request, path));
  const send = async () => {
    if (known && key !== undefined && text !== null) {
      // whatever has become of the contract and the clock since
      const job = await repeatedJob(context, principal.owner, { key, hash: requestHash(queue.name, text) });
      if (job) return { job, created: false };
    }
    return await submit(context, queue, {
      ...(fresh ?? (await options?.())),
      principal,
      // under a key of our own the payload is the request, and one read back from the database is another text
      payload: known && text !== null ? (known.payload as Payload<Q>) : await makePayload(),
      ...(key !== undefined && { idempotencyKey: key }),
      ...(text !== null && { request: text }),
    });
  };
  const { job, created } = await send().catch(async (error: unknown) => {
    await refused();
    throw error;
  });
  // the same request came twice at once, and the other was first
  if (!created) await refused();
  await accepted(job);
  if (!created) reply.header('idempotency-replayed', 'true');
  reply.header('x-job-id', job.id);
  await warn(context, reply, job);
  request.log.debug({ job: job.id, queue: queue.name }, 'submitted');
  return job;
}

/** Says in a header that no worker is there to start the job. Removed again where it is started meanwhile. */
async function warn(context: Context, reply: FastifyReply, job: Job): Promise<void> {
  const warning = await idleWarning(context, job);
  if (warning === undefined) reply.removeHeader('x-job-warning');
  else reply.header('x-job-warning', warning);
}

function askedText(request: FastifyRequest, path: string | undefined): string {
  if (path === undefined) return requestText(request);
  const { method, params, query, body } = request;
  return requestText({ method, params, query, body, routeOptions: { url: path } });
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
