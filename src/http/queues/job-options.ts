import { type Static, Type } from 'typebox';
import { ApprovalTerms, BudgetTerms } from '#queues/terms.ts';
import { Unique } from '#queues/unique.ts';
import { MOST_METADATA_BYTES } from '#src/jobs/submit/submit.ts';
import { unstorableAt } from '#src/lib/assert-storable.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';

const strict = { additionalProperties: false };

/** Receiver that is notified of the end of one job. */
export const JobWebhook = Type.Union(
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

export type JobWebhook = Static<typeof JobWebhook>;

/** Finds the id of the endpoint that a webhook stands for. @throws AppError for a webhook that is none */
export type FindReceiver = (context: Context, principal: Principal, webhook: JobWebhook) => Promise<string>;

/** Settings of a job that are the same however it comes: submitted by a request, or by a schedule. */
export const jobOptions = {
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
    Type.Boolean({
      description: 'Whether its end is sealed and anchored; as the contract says without it, and never less',
    }),
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
  webhook: Type.Optional(JobWebhook),
  metadata: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Unsafe<unknown>({}), {
      maxProperties: 50,
      description: 'Your own words about it, given back as they came; at most 16 KiB of JSON',
    }),
  ),
};

const JobOptions = Type.Object(jobOptions);
type JobOptions = Omit<Static<typeof JobOptions>, 'webhook'>;

/** Picks these settings from a body, without the ones that it leaves out. @throws AppError `invalid_request` */
export function jobOptionsOf({ priority, group, receipt, approval, budget, unique, metadata }: JobOptions): JobOptions {
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > MOST_METADATA_BYTES)
    throw wrong('metadata', 'at most 16 KiB of JSON, got more');
  for (const [field, value] of Object.entries({ group, metadata, approval }))
    if (unstorableAt(value) !== null) throw wrong(field, 'text without \\u0000 and lone surrogates');
  return {
    ...(priority !== undefined && { priority }),
    ...(group !== undefined && { group }),
    ...(metadata !== undefined && { metadata }),
    ...(receipt !== undefined && { receipt }),
    ...(approval !== undefined && { approval }),
    ...(budget !== undefined && { budget }),
    ...(unique !== undefined && { unique }),
  };
}

/** Makes the refusal of a field of a body. */
export function wrong(field: string, expected: string, value?: unknown): AppError {
  return new AppError('invalid_request', `body.${field}: expected ${expected}.`, { field: `body.${field}`, value });
}
