import { type Static, Type } from 'typebox';
import { ApprovalTerms, BudgetTerms } from '#queues/terms.ts';
import { Unique } from '#queues/unique.ts';
import { sortedText } from '#src/http/request/request-text.ts';
import { dependencyPolicies, MOST_DEPENDENCIES } from '#src/jobs/model/dependencies.ts';
import type { SubmissionOptions } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';

/** Ten years. */
const LONGEST_DELAY_MS = 315_360_000_000;

const fields = {
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
  expires_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'A job that has not begun by then is cancelled' }),
  ),
  priority: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000,
      description: '0 runs first, 1000 last; that of the contract without one',
    }),
  ),
  group: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Whose share of the queue it belongs to; its owner’s without one',
    }),
  ),
  receipt: Type.Optional(
    Type.Boolean({ description: 'Whether its end is sealed and anchored; as the contract says without it' }),
  ),
  approval: Type.Optional(
    Type.Union([Type.Boolean(), ApprovalTerms], {
      description:
        'Whether a person has to allow it before it runs, and why; as the contract says without it, and never less',
    }),
  ),
  budget: Type.Optional(
    Type.Pick(BudgetTerms, ['job_usd'], {
      additionalProperties: false,
      description: 'Money that is reserved before it runs; as the contract says without it, and never more',
    }),
  ),
  unique: Type.Optional(Unique),
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
  metadata: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Unsafe<unknown>({}), {
      maxProperties: 50,
      description: 'Your own words about it, given back as they came; at most 16 KiB of JSON',
    }),
  ),
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

const METADATA_BYTES = 16_384;

/** Everything of a submission that its request says, beside payload and key. @throws AppError `invalid_request` */
export function optionsOf(body: SubmitBody): SubmissionOptions {
  const { run_at, delay_ms, expires_at, priority, group, metadata, receipt, approval, budget } = body;
  const { unique, depends_on, on_failure } = body;
  if (run_at !== undefined && delay_ms !== undefined)
    throw wrong('delay_ms', 'run_at or delay_ms, got both: leave one out');
  const runAt = run_at === undefined ? delay_ms && new Date(Date.now() + delay_ms) : new Date(run_at);
  if (expires_at !== undefined && new Date(expires_at) <= (runAt || new Date()))
    throw wrong('expires_at', `a time after the job may run, got ${expires_at}`);
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES)
    throw wrong('metadata', 'at most 16 KiB of JSON, got more');
  if (group !== undefined && !storable(group)) throw wrong('group', 'text without \\u0000 and lone surrogates');
  if (on_failure !== undefined && depends_on === undefined)
    throw wrong('on_failure', 'none without depends_on, got ' + on_failure);
  return {
    ...(runAt && { runAt }),
    ...(expires_at !== undefined && { expiresAt: new Date(expires_at) }),
    ...(priority !== undefined && { priority }),
    ...(group !== undefined && { group }),
    ...(metadata !== undefined && { metadata }),
    ...(receipt !== undefined && { receipt }),
    ...(approval !== undefined && { approval }),
    ...(budget !== undefined && { budget }),
    ...(unique !== undefined && { unique }),
    ...(depends_on !== undefined && { dependsOn: { jobs: depends_on, onFailure: on_failure ?? 'fail' } }),
  };
}

/** The request for one job as a text: the same by whatever route it came. */
export function askedText(queue: string, body: SubmitBody): string {
  return sortedText({ ...body, queue });
}

function storable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function wrong(field: string, expected: string): AppError {
  return new AppError('invalid_request', `body.${field}: expected ${expected}.`, { field: `body.${field}` });
}
