import { randomUUIDv7 } from 'node:crypto';
import type { Payload, QueueContract } from '#queues/define.ts';
import { misfit } from '#queues/misfit.ts';
import { tooLong } from '#queues/too-large.ts';
import type { Unique } from '#queues/unique.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { isLarge, keepContent } from '#src/jobs/contents/content.ts';
import type { DependsOn } from '#src/jobs/model/dependencies.ts';
import type { Gate } from '#src/jobs/model/gates.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { keepContractText, textOf } from '#src/jobs/registry/contract-text.ts';
import { startNow } from '#src/jobs/wake/start-dependents.ts';
import { inTurns } from '#src/lib/async/in-turns.ts';
import { AppError } from '#src/lib/errors.ts';
import { idempotencyConflict } from '#src/lib/idempotency-conflict.ts';
import type { Context } from '#src/system/context.ts';
import { traceparent } from '#src/system/logging/trace.ts';
import { assertOwnJobs } from './assert-own-jobs.ts';
import { requestHash } from './find-repeated.ts';
import { groupAt } from './group-at.ts';
import { insertJob } from './insert-jobs.ts';
import { assertKeyText } from './key-text.ts';
import type { FlowPlace, NewJob, Submitted } from './new-job.ts';
import { type AskedTerms, type Submitter, type Terms, termsOf, wantsReceipt } from './terms.ts';
import { meetHolder, uniqueOf } from './unique.ts';

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
  /** 0 runs first, 1000 last; without one the queue's own. */
  readonly priority?: number;
  readonly parentId?: string;
  /** Node of the flow that is its parent, and its place among the jobs of that node. */
  readonly place?: FlowPlace;
  /** Makes it the only one of its key; the queue's own without it. */
  readonly unique?: Unique;
  /** Jobs of the same owner that have to end before it begins. */
  readonly dependsOn?: DependsOn;
  /** Waits in its queue until `releaseHeld` lets it go. */
  readonly held?: boolean;
}

/** Everything of a submission that is the caller's to say, beside payload and key. */
export type SubmissionOptions = Pick<
  Submission<QueueContract>,
  'runAt' | 'expiresAt' | 'priority' | 'group' | 'metadata' | 'receipt' | 'approval' | 'budget' | 'unique' | 'dependsOn'
>;

/** Bytes of a submitter's own words about a job, as JSON. */
export const MOST_METADATA_BYTES = 16_384;
const LAST_PRIORITY = 1_000;
/** Holders of a unique key that one submit meets. */
const MOST_TRIES = 20;

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
  if (created && submission.dependsOn) await startNow(context, [job.id]);
  if (created && isDue(job)) openBroker(context).add(job);
  return { job, created };
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
  const dependents = settled.flatMap((one, index) =>
    one.status === 'fulfilled' && one.value.created && submissions[index]?.submission.dependsOn
      ? [one.value.job.id]
      : [],
  );
  await startNow(context, dependents);
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
  const { priority = queue.priority, expiresAt, metadata } = submission;
  check(queue, payload, priority);
  const metadataText = metadata === undefined ? null : JSON.stringify(metadata);
  assertMetadata(metadataText);
  if (idempotencyKey !== undefined) assertKeyText('idempotency key', idempotencyKey, 255);
  const text = JSON.stringify(payload);
  assertSize(queue, text);
  const terms = termsOf(queue, submission, principal);
  const receipt = wantsReceipt(queue, submission);
  const dependsOn = submission.dependsOn ?? null;
  const gate = dependsOn ? null : gateOf(terms);
  const approvalId = submission.approvalId ?? (terms?.approval ? randomUUIDv7() : null);
  return {
    id: randomUUIDv7(),
    owner: principal.owner,
    queue: queue.name,
    version: queue.version,
    state: dependsOn ? 'waiting' : approvalId === null ? 'queued' : 'awaiting_approval',
    priority,
    payload,
    payloadText: text,
    payloadContent: null,
    requestHash: requestHash(queue.name, request ?? text),
    idempotencyKey: idempotencyKey ?? null,
    approvalId,
    parentId: parentId ?? null,
    // until its money is reserved
    held: gate === 'reserve' || (submission.held ?? false),
    runAt: runAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    group: submission.group ?? groupAt(queue.group, payload),
    metadataText,
    receipt: receipt ? 'wanted' : null,
    termsText: terms && JSON.stringify(terms),
    gate,
    contract: receipt ? textOf(queue) : null,
    keyId: principal.keyId ?? null,
    unique: uniqueOf(queue, submission.unique, payload),
    dependsOn,
    place: submission.place ?? null,
    trace: traceparent(),
  };
}

/** @throws AppError `payload_too_large` */
function assertSize(queue: QueueContract, text: string): void {
  const wrong = tooLong(queue, 'payload', text);
  if (!wrong) return;
  const message = `The payload of ${queue.name} ${wrong.message}.`;
  throw new AppError('payload_too_large', message, { limit_bytes: queue.maxPayloadBytes });
}

function assertMetadata(text: string | null): void {
  const bytes = text === null ? 0 : Buffer.byteLength(text);
  if (bytes <= MOST_METADATA_BYTES) return;
  const message = `metadata: expected at most ${MOST_METADATA_BYTES} bytes of JSON, got ${bytes}.`;
  throw new AppError('invalid_request', message, { field: 'body.metadata' });
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
  await assertOwnJobs(context, wanted);
  const { job, created, requestHash: made } = await insertOrMeet(context, await placeContents(context, wanted));
  if (!created && made !== null && made !== wanted.requestHash)
    throw idempotencyConflict(wanted.idempotencyKey ?? undefined, { kind: 'job', id: job.id, of: `of ${job.queue}` });
  if (created) context.metrics.proofline_jobs_submitted_total.inc({ queue: job.queue });
  return { job, created };
}

/**
 * Inserts a job, or finds the one that is there: by its idempotency key, with the hash of the request that made it, or by
 * its unique key. Who holds that may give it up at any moment, and the job is then inserted after all.
 */
async function insertOrMeet(
  context: Context,
  wanted: NewJob,
): Promise<Submitted & { readonly requestHash: string | null }> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const found = await insertJob(context)(wanted);
    if (found && !found.isHolder) return found;
    const met = found && (await meetHolder(context, found.job, wanted));
    if (met) return { ...met, requestHash: null };
  }
  throw new AppError(
    'unavailable',
    `The job that holds the unique key of ${wanted.queue} changed ${MOST_TRIES} times meanwhile; submit it again.`,
  );
}

/** Checks whether the broker is to know of a job. */
export function isDue({ state, held }: Job): boolean {
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
