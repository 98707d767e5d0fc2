import { type Static, Type } from 'typebox';
import { admitWork } from '#src/access/quota.ts';
import { governSubmitted } from '#src/governance/jobs/govern-jobs.ts';
import { endpointOfWebhook } from '#src/governance/notifications/job-webhooks.ts';
import { assertMayDirect } from '#src/http/jobs/may-direct-job.ts';
import { askedText, optionsOf, SubmitBody } from '#src/http/queues/submit-body.ts';
import { showJob } from '#src/http/views/show-job.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { JobView } from '#src/jobs/model/job-view.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { waitForJob } from '#src/jobs/read/wait-for-job.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { repeatedJob, requestHash } from '#src/jobs/submit/find-repeated.ts';
import { keepWebhooks } from '#src/jobs/submit/keep-webhooks.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { type McpContext, tool } from '#src/mcp/model/tool.ts';
import type { Context } from '#src/system/context.ts';

const strict = { additionalProperties: false };
/** A process that serves missions or the studio alone offers their tools and no others. */
const surface = 'platform';

const WaitSeconds = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 120, description: 'Seconds to wait for its end at most; 0 answers at once' }),
);
const JobId = Type.String({ format: 'uuid', description: 'The job' });
const Answer = Type.Unsafe<Static<typeof JobView>>(Type.Object(JobView.properties));

const list = tool({
  name: 'job_queues',
  title: 'List your queues',
  description:
    'The queues that you may submit jobs to, with the JSON Schemas of payload and result of their newest version. Read the payload’s schema before you call job_submit.',
  surface,
  scope: 'jobs.submit',
  input: Type.Object({}, strict),
  output: Type.Object({
    queues: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name for job_submit' }),
        version: Type.Integer({ description: 'Newest version of its contract' }),
        title: Type.String({ description: 'What a job of it does' }),
        payload: Type.Unsafe<unknown>({ description: 'JSON Schema of what a job is given' }),
        result: Type.Unsafe<unknown>({ description: 'JSON Schema of what it gives' }),
      }),
      { description: 'By name' },
    ),
  }),
  hints: { readOnlyHint: true, openWorldHint: false },
  run: async ({ context }, { principal: { owner } }) => {
    const registry = registryOf(context);
    const own = registry.all().filter(({ name }) => registry.ownerOf(name) === owner);
    return {
      output: {
        queues: own.map(({ name, version, title, payload, result }) => ({ name, version, title, payload, result })),
      },
    };
  },
});

const submitTool = tool({
  name: 'job_submit',
  title: 'Submit a job',
  description:
    'Submits one job of a registered queue and waits for its end where asked to. It is durable once this answers. With an idempotencyKey a repetition gives the same job. Where it has not ended, job_read waits on.',
  surface,
  scope: 'jobs.submit',
  input: Type.Object(
    {
      queue: Type.String({ minLength: 3, maxLength: 100, description: 'A queue that job_queues lists' }),
      ...SubmitBody.properties,
      idempotencyKey: Type.Optional(
        Type.String({ pattern: '^[!-~]{1,255}$', description: 'The same again gives the same job' }),
      ),
      waitSeconds: WaitSeconds,
    },
    strict,
  ),
  output: Answer,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  run: async (on, { input, principal, signal }) => {
    const { context } = on;
    const { queue: name, idempotencyKey, waitSeconds = 0, ...body } = input;
    const queue = await assertOwnQueue(context, principal, name, body.version);
    const request = askedText(name, body);
    const known = idempotencyKey === undefined ? null : { key: idempotencyKey, hash: requestHash(name, request) };
    const receiver = body.webhook && (await endpointOfWebhook(context, principal, body.webhook));
    const submitNew = async () => {
      await admitWork(context)(principal, name, body.group);
      const { job } = await submit(context, queue, {
        ...(await optionsOf(context, body)),
        principal,
        payload: body.payload,
        ...(idempotencyKey !== undefined && { idempotencyKey, request }),
      });
      return job;
    };
    const job = (known && (await repeatedJob(context, principal.owner, known))) ?? (await submitNew());
    if (receiver !== undefined) await keepWebhooks(context, [{ job: job.id, endpoint: receiver }]);
    await governSubmitted(context, job);
    return await answer(on, job, waitSeconds, signal);
  },
});

const read = tool({
  name: 'job_read',
  title: 'Read a job',
  description: 'A job of yours as it is now, or once it has ended, within the wait asked for: state, result, error.',
  surface,
  scope: 'jobs.submit',
  input: Type.Object({ job: JobId, waitSeconds: WaitSeconds }, strict),
  output: Answer,
  hints: { readOnlyHint: true, openWorldHint: false },
  run: async (on, { input: { job, waitSeconds = 0 }, principal, signal }) =>
    await answer(on, await ownJob(on.context, principal, job), waitSeconds, signal),
});

const cancel = tool({
  name: 'job_cancel',
  title: 'Cancel a job',
  description: 'Cancels a job of yours that has not ended. What it did outside until then stays done.',
  surface,
  scope: 'jobs.submit',
  input: Type.Object({ job: JobId }, strict),
  output: Answer,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: async ({ context }, { input, principal }) => {
    const { id, queue } = await ownJob(context, principal, input.job);
    assertMayDirect(principal, queue);
    return { output: await showJob(context, await cancelJob(context, id, principal.owner)) };
  },
});

/** Tools for jobs of registered queues. */
export const jobTools = [list, submitTool, read, cancel];

/** The job once it has ended, or as it is after the wait. One that failed is an answer that failed. */
async function answer({ context, hub }: McpContext, job: Job, waitSeconds: number, signal: AbortSignal) {
  const isWaiting = waitSeconds > 0 && !isTerminal(job.state);
  const last = (isWaiting ? await waitForJob(context, hub, job.id, waitSeconds * 1_000, signal) : null) ?? job;
  return {
    output: await showJob(context, last),
    failed: last.state === 'failed' || last.state === 'cancelled',
  };
}

async function ownJob(context: Context, { owner }: Principal, id: string): Promise<Job> {
  const job = await readJob(context, id.toLowerCase());
  if (job?.owner === owner) return job;
  throw new AppError('not_found', `expected the id of one of your jobs, got ${id}, which is none.`, { value: id });
}
