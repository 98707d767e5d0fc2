import type { QueueContract } from '#queues/define.ts';
import { admitWork } from '#src/access/quota.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { findRepeated, requestHash } from '#src/jobs/submit/find-repeated.ts';
import { keepWebhooks } from '#src/jobs/submit/keep-webhooks.ts';
import type { Submitted } from '#src/jobs/submit/new-job.ts';
import { type Submission, submitMany } from '#src/jobs/submit/submit.ts';
import { submitTogether } from '#src/jobs/submit/submit-together.ts';
import { onlyMeets } from '#src/jobs/submit/unique.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import type { FindReceiver, JobWebhook } from './job-options.ts';
import type { ReadItem } from './read-bulk.ts';
import { askedText, type BulkItem, optionsOf } from './submit-body.ts';

/** Answer to one job of many. */
export type BulkAnswer =
  | { readonly index: number; readonly id: string; readonly created: boolean }
  | { readonly index: number; readonly error: ReturnType<typeof describeError> };

interface Wanted {
  readonly queue: QueueContract;
  readonly submission: Submission<QueueContract>;
  /** Endpoint that is notified of its end; null for none. */
  readonly receiver: string | null;
}

interface BulkEdge {
  readonly context: Context;
  readonly findReceiver: FindReceiver;
}

/** Finds the receiver of one line; the same webhook is looked up once a request. */
type ReceiverOf = (webhook: JobWebhook) => Promise<string>;

/**
 * Submits many jobs of a caller, each for itself or all or none; answers them in their order. One that was submitted
 * before under its key is answered by its job, also where it could not be taken now.
 *
 * @throws AppError where all or none is wanted: the error of the first that cannot be taken, with its `index`
 */
export async function submitBulk(
  { context, findReceiver }: BulkEdge,
  principal: Principal,
  items: readonly ReadItem[],
  atomic: boolean,
): Promise<readonly BulkAnswer[]> {
  const receiverOf = onceEach((webhook) => findReceiver(context, principal, webhook));
  const wanted = await Promise.all(
    items.map(async (read) =>
      'error' in read ? read.error : await wantedOf(context, principal, read.item, receiverOf),
    ),
  );
  const answers = await (atomic ? submitAtomic : submitEach)(context, principal, items, wanted);
  // of those that were there already as well: the first answer may have been lost before its receiver was kept
  const webhooks = answers.flatMap((answer) => {
    const one = wanted[answer.index];
    if ('error' in answer || !one || one instanceof AppError || one.receiver === null) return [];
    return [{ job: answer.id, endpoint: one.receiver }];
  });
  await keepWebhooks(context, webhooks);
  return answers;
}

async function submitEach(
  context: Context,
  principal: Principal,
  items: readonly ReadItem[],
  wanted: readonly (Wanted | AppError)[],
): Promise<readonly BulkAnswer[]> {
  const good = wanted.filter((one): one is Wanted => !(one instanceof AppError));
  const settled = (await submitMany(context, good)).values();
  const answers = wanted.map((one, index) =>
    one instanceof AppError ? { index, error: describeError(one) } : answerOf(index, settled.next().value),
  );
  const refused = answers.flatMap((answer) => ('error' in answer ? [answer.index] : []));
  const repeated = await repeatedOf(context, principal, items, refused);
  return answers.map((answer) => repeated.get(answer.index) ?? answer);
}

async function submitAtomic(
  context: Context,
  principal: Principal,
  items: readonly ReadItem[],
  wanted: readonly (Wanted | AppError)[],
): Promise<readonly BulkAnswer[]> {
  try {
    const bad = wanted.findIndex((one) => one instanceof AppError);
    if (bad >= 0) throw atIndex(wanted[bad] as AppError, bad);
    const done = await submitTogether(context, wanted as readonly Wanted[]);
    return done.map(({ job, created }, index) => ({ index, id: job.id, created }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const repeated = await repeatedOf(context, principal, items, [...items.keys()]);
    if (repeated.size < items.length) throw error;
    return [...repeated.values()];
  }
}

/** Finds which of the jobs at some places were submitted before, under their keys; answers by place. */
async function repeatedOf(
  context: Context,
  { owner }: Principal,
  items: readonly ReadItem[],
  places: readonly number[],
): Promise<ReadonlyMap<number, BulkAnswer>> {
  const asked = places.flatMap((index) => {
    const read = items[index];
    if (!read || 'error' in read || read.item.idempotency_key === undefined) return [];
    const { queue, idempotency_key: key, ...body } = read.item;
    return [{ index, key, hash: requestHash(queue, askedText(queue, body)) }];
  });
  const found = await findRepeated(context, owner, asked);
  return new Map(
    asked.flatMap(({ index, key }) => {
      const id = found.get(key);
      return id === undefined ? [] : [[index, { index, id, created: false }] as const];
    }),
  );
}

function onceEach(find: ReceiverOf): ReceiverOf {
  const known = new Map<string, Promise<string>>();
  return async (webhook) => {
    const name = JSON.stringify(webhook);
    const found = known.get(name) ?? find(webhook);
    known.set(name, found);
    return await found;
  };
}

function answerOf(index: number, settled: PromiseSettledResult<Submitted> | undefined): BulkAnswer {
  if (settled?.status === 'fulfilled') return { index, id: settled.value.job.id, created: settled.value.created };
  return { index, error: describeError(settled?.reason) };
}

/** Makes the submission of one job of a request, or the error that keeps it out. */
async function wantedOf(
  context: Context,
  principal: Principal,
  item: BulkItem,
  receiverOf: ReceiverOf,
): Promise<Wanted | AppError> {
  const { queue: name, idempotency_key: key, ...body } = item;
  try {
    const queue = await assertOwnQueue(context, principal, name, body.version, 'queue');
    const receiver = body.webhook ? await receiverOf(body.webhook) : null;
    const options = await optionsOf(context, body);
    const none = async () => await onlyMeets(context, queue, principal.owner, options.unique, async () => body.payload);
    await admitWork(context)(principal, name, body.group, { none });
    const submission = {
      ...options,
      principal,
      payload: body.payload,
      ...(key !== undefined && { idempotencyKey: key, request: askedText(name, body) }),
    };
    return { queue, submission, receiver };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The error of one of many, which says which. */
function atIndex(error: AppError, index: number): AppError {
  const { code, message, details } = error;
  return new AppError(code, `job ${index}: ${message} None was taken.`, { ...details, index }, error);
}
