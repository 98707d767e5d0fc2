import { hash, randomUUIDv7 } from 'node:crypto';
import type { Payload, QueueContract } from '#queues/define.ts';
import { misfit } from '#queues/misfit.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { isLarge, keepContent } from '#src/jobs/contents/content.ts';
import type { Gate } from '#src/jobs/model/gates.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { keepContractText, textOf } from '#src/jobs/registry/contract-text.ts';
import { inTurns } from '#src/lib/async/in-turns.ts';
import { AppError } from '#src/lib/errors.ts';
import { idempotencyConflict } from '#src/lib/idempotency-conflict.ts';
import type { Context } from '#src/system/context.ts';
import { traceparent } from '#src/system/logging/trace.ts';
import { insertJob, type NewJob } from './insert-jobs.ts';
import { type AskedTerms, type Submitter, type Terms, termsOf } from './terms.ts';

export interface Submission<Q extends QueueContract> extends AskedTerms {
  readonly principal: Submitter;
  readonly payload: Payload<Q>;
  /** The same owner and key gives the same job; with another request it is refused. 1 to 255 characters. */
  readonly idempotencyKey?: string;
  /**
   * The client's request as text, where the payload holds more than that (what it was resolved to at that moment): a
   * repetition is recognised by it. Without one the payload is the request.
   */
  readonly request?: string;
  /** The decision this job waits for, in `awaiting_approval`. */
  readonly approvalId?: string;
  readonly runAt?: Date;
  /** A job that has not begun by then is cancelled. */
  readonly expiresAt?: Date;
  /** Group whose share of the queue it belongs to; its owner's without one. 1 to 200 characters. */
  readonly group?: string;
  /** The submitter's own words about it, given back as they came. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** True where its end is to be sealed; the queue's own without it. */
  readonly receipt?: boolean;
  /** 0 runs first, 1000 last; without one the queue's own. */
  readonly priority?: number;
  readonly parentId?: string;
  /** Waits in its queue until `releaseHeld` lets it go. */
  readonly held?: boolean;
}

/** Everything of a submission that is the caller's to say, beside payload and key. */
export type SubmissionOptions = Pick<
  Submission<QueueContract>,
  'runAt' | 'expiresAt' | 'priority' | 'group' | 'metadata' | 'receipt' | 'approval' | 'budget'
>;

const LAST_PRIORITY = 1_000;

/**
 * Accepts a job: checked once, written to Postgres with its first event, then announced to the broker. When this
 * resolves the job is durable, whatever happens to this process or to Redis.
 *
 * @throws AppError `invalid_payload`, `idempotency_conflict`, or `unavailable` while Postgres is away.
 */
export async function submit<Q extends QueueContract>(
  context: Context,
  queue: Q,
  submission: Submission<Q>,
): Promise<Submitted> {
  const { job, created } = await insert(context, newJob(queue, submission));
  if (created && isDue(job)) openBroker(context).add(job);
  return { job, created };
}

/** A job that was accepted, and whether it is new: else it was there under its key. */
export interface Submitted {
  readonly job: Job;
  readonly created: boolean;
}

/**
 * Accepts many jobs, each for itself, as {@link submit} does one. The broker hears of them together, after this has
 * resolved.
 */
export async function submitMany(
  context: Context,
  submissions: readonly { readonly queue: QueueContract; readonly submission: Submission<QueueContract> }[],
): Promise<readonly PromiseSettledResult<Submitted>[]> {
  // schemas of others cost what they cost: one request must not hold up all others
  const made = await inTurns(submissions, ({ queue, submission }) => attempt(() => newJob(queue, submission)));
  const settled = await Promise.allSettled(made.map(async (one) => await insert(context, one())));
  const due = settled.flatMap((one) =>
    one.status === 'fulfilled' && one.value.created && isDue(one.value.job) ? [one.value.job] : [],
  );
  openBroker(context).addLater(due);
  return settled;
}

/** The outcome of a function, to be given or thrown later. */
function attempt<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Writes a submission as the row that is stored. @throws AppError `invalid_payload`, `invalid_request` */
export function newJob<Q extends QueueContract>(queue: Q, submission: Submission<Q>): NewJob {
  const { principal, payload, idempotencyKey, request, runAt, parentId } = submission;
  const { priority = queue.priority, expiresAt, group, metadata, receipt = queue.receipt } = submission;
  check(queue, payload, priority);
  if (idempotencyKey !== undefined) checkKey(idempotencyKey);
  const text = JSON.stringify(payload);
  const terms = termsOf(queue, submission, principal);
  const gate = gateOf(terms);
  const approvalId = submission.approvalId ?? (gate === 'ask' ? randomUUIDv7() : null);
  return {
    id: randomUUIDv7(),
    owner: principal.owner,
    queue: queue.name,
    version: queue.version,
    state: approvalId === null ? 'queued' : 'awaiting_approval',
    priority,
    payload,
    payloadText: text,
    payloadContent: null,
    requestHash: hash('sha256', `${queue.name}\0${request ?? text}`, 'hex'),
    idempotencyKey: idempotencyKey ?? null,
    approvalId,
    parentId: parentId ?? null,
    // until its money is reserved
    held: gate === 'reserve' || (submission.held ?? false),
    runAt: runAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    group: group ?? null,
    metadataText: metadata === undefined ? null : JSON.stringify(metadata),
    receipt: receipt ? 'wanted' : null,
    termsText: terms && JSON.stringify(terms),
    gate,
    contract: receipt ? textOf(queue) : null,
    keyId: principal.keyId ?? null,
    trace: traceparent(),
  };
}

/** First step of a job under its terms. */
function gateOf(terms: Terms | null): Gate | null {
  if (terms?.approval) return 'ask';
  return terms?.budget ? 'reserve' : null;
}

/**
 * Puts a payload that is too large for its row beside it, and keeps the text of a contract that a receipt will name.
 *
 * @throws AppError `payload_too_large`, `unavailable`
 */
export async function placeContents(context: Context, job: NewJob): Promise<NewJob> {
  if (job.contract) await keepContractText(context, { name: job.queue, version: job.version }, job.contract);
  if (!isLarge(job.queue, job.payloadText)) return job;
  return { ...job, payloadText: 'null', payloadContent: await keepContent(context, job.id, job.payloadText) };
}

async function insert(context: Context, wanted: NewJob): Promise<Submitted> {
  const { job, created, requestHash } = await insertJob(context)(await placeContents(context, wanted));
  if (!created && requestHash !== wanted.requestHash)
    throw idempotencyConflict(wanted.idempotencyKey ?? undefined, { kind: 'job', id: job.id, of: `of ${job.queue}` });
  if (created) context.metrics.proofline_jobs_submitted_total.inc({ queue: job.queue });
  return { job, created };
}

/** Checks whether the broker is to know of a job. */
function isDue({ state, held }: Job): boolean {
  return state === 'queued' && !held;
}

/** The payload against its contract, and the priority against what the broker and the row can hold. */
function check(queue: QueueContract, payload: unknown, priority: number): void {
  const wrong = misfit(queue.payload, payload);
  if (wrong) {
    const message = `The payload of ${queue.name} does not fit: ${wrong.path || '/'} ${wrong.message}.`;
    throw new AppError('invalid_payload', message, { path: wrong.path });
  }
  if (Number.isInteger(priority) && priority >= 0 && priority <= LAST_PRIORITY) return;
  throw new AppError(
    'invalid_payload',
    `priority: expected a whole number from 0 to ${LAST_PRIORITY}, got ${priority}.`,
    { path: '/priority' },
  );
}

/** A key that Postgres would keep as another text is stored once and never found again. */
function checkKey(key: string): void {
  if (key.length > 0 && key.length <= 255 && key.isWellFormed() && !key.includes('\0')) return;
  throw new AppError(
    'invalid_request',
    `idempotency key: expected 1 to 255 characters without \\u0000 and lone surrogates, got ${JSON.stringify(key.slice(0, 80))}.`,
  );
}
