import { type Static, Type } from 'typebox';
import { LONGEST_DELAY_MS } from '#queues/define.ts';
import { Delay, delayFault, delayMs } from '#queues/delay.ts';
import { sortedText } from '#src/http/request/request-text.ts';
import { dependencyPolicies, MOST_DEPENDENCIES } from '#src/jobs/model/dependencies.ts';
import type { SubmissionOptions } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { databaseNow } from '#src/system/database-now.ts';
import { jobOptions, jobOptionsOf, wrong } from './job-options.ts';

const strict = { additionalProperties: false };

/** Receiver that is notified of the end of one job. */
const JobWebhook = Type.Union(
  [
    Type.Object(
      { url: Type.String({ minLength: 1, maxLength: 2_000, description: 'An https address of the open internet' }) },
      strict,
    ),
    Type.Object({ endpoint: Type.String({ format: 'uuid', description: 'One of your endpoints' }) }, strict),
  ],
  {
    title: 'JobWebhook',
    description:
      'Receiver of `job.succeeded`, `job.failed` or `job.cancelled` of this job: an address, with messages signed by your webhook secret (`GET /api/v1/webhook-secret`), or one of your endpoints (`/v1/webhook-endpoints`)',
  },
);

const fields = {
  ...jobOptions,
  payload: Type.Unsafe<unknown>({ description: 'Fits the payload of the contract; at most 16 MiB of JSON' }),
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Of the contract; the newest without one' }),
  ),
  run_at: Type.Optional(Type.String({ format: 'date-time', description: 'Earliest time of its run' })),
  delay_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LONGEST_DELAY_MS,
      description: 'The same as a time from now, instead of `run_at`',
    }),
  ),
  delay: Type.Optional(Delay),
  expires_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'A job that has not begun by then is cancelled' }),
  ),
  depends_on: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      minItems: 1,
      maxItems: MOST_DEPENDENCIES,
      description: 'Jobs of yours that have to end before it begins',
    }),
  ),
  on_failure: Type.Optional(
    Type.Enum([...dependencyPolicies], {
      type: 'string',
      description:
        'Where one of `depends_on` does not succeed: `fail` this job without having run it (the default), or `continue`',
    }),
  ),
  webhook: Type.Optional(JobWebhook),
};

/** A job as one request submits it. */
export const SubmitBody = Type.Object(fields, {
  additionalProperties: false,
  description: 'A job of this queue',
  examples: [{ payload: { url: 'https://example.org/a.png', width: 800 }, delay_ms: 60_000 }],
});
export type SubmitBody = Static<typeof SubmitBody>;

/** A job as one of many in a request. */
export const BulkItem = Type.Object(
  {
    queue: Type.String({ minLength: 3, maxLength: 100, description: 'The queue, as `<namespace>.<verb-noun>`' }),
    idempotency_key: Type.Optional(
      Type.String({ pattern: '^[!-~]{1,255}$', description: 'The same owner and key gives the same job' }),
    ),
    ...fields,
  },
  { additionalProperties: false, description: 'A job of any of your queues' },
);
export type BulkItem = Static<typeof BulkItem>;

/**
 * Everything of a submission that its request says, beside payload and key. A delay begins by the clock of Postgres.
 *
 * @throws AppError `invalid_request`
 */
export async function optionsOf(context: Context, body: SubmitBody): Promise<SubmissionOptions> {
  const { run_at, delay, expires_at, depends_on, on_failure } = body;
  const fault = delayFault(body);
  if (fault !== null) throw wrong('delay', fault, delay);
  const field = delay === undefined ? 'delay_ms' : 'delay';
  if (run_at !== undefined && body[field] !== undefined)
    throw wrong(field, `run_at or ${field}, got both: leave one out`, body[field]);
  const wait = delayMs(body);
  const now = wait === undefined && expires_at === undefined ? null : await databaseNow(context)();
  const delayed = now && wait !== undefined ? new Date(now.getTime() + wait) : null;
  const runAt = run_at === undefined ? delayed : new Date(run_at);
  if (now && expires_at !== undefined && new Date(expires_at) <= (runAt ?? now))
    throw wrong('expires_at', `a time after the job may run, got ${expires_at}`, expires_at);
  if (on_failure !== undefined && depends_on === undefined)
    throw wrong('on_failure', `none without depends_on, got ${on_failure}`, on_failure);
  return {
    ...(runAt && { runAt }),
    ...(expires_at !== undefined && { expiresAt: new Date(expires_at) }),
    ...jobOptionsOf(body),
    ...(depends_on !== undefined && { dependsOn: { jobs: depends_on, onFailure: on_failure ?? 'fail' } }),
  };
}

/** The request for one job as a text: the same by whatever route it came. */
export function askedText(queue: string, body: SubmitBody): string {
  return sortedText({ ...body, queue });
}
