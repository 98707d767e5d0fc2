import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import type { Payload } from '#queues/define.ts';
import { type batch, batchWindowHours } from '#queues/platform.ts';
import { addNotice } from '#src/governance/owners/notices.ts';
import { AppError } from '#src/lib/errors.ts';
import { dropContent, lockContent } from '#src/providers/assets/asset-content.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

export const batchStatuses = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const;
export type BatchStatus = (typeof batchStatuses)[number];
/** Terminal status of a batch. */
export type BatchEnd = Extract<BatchStatus, 'completed' | 'failed' | 'expired' | 'cancelled'>;

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Instant = Type.Unsafe<Date>({});
const OptionalInstant = Type.Unsafe<Date | null>({});
const Tokens = Type.Integer({ minimum: 0 });

/** Why a file cannot be a batch. */
export const BatchError = Type.Object({
  code: Type.String({ description: 'The code that programs go by' }),
  message: Type.String({ description: 'The fault, in a sentence' }),
  line: Type.Union([Type.Integer(), Type.Null()], { description: 'Line of the file; null for all of it' }),
  param: Type.Union([Type.String(), Type.Null()], { description: 'Name of the wrong member; null where none is' }),
});
export type BatchError = Static<typeof BatchError>;

/** Tokens of all lines together. */
export const BatchUsage = Type.Object({
  input_tokens: Tokens,
  input_tokens_details: Type.Object({ cached_tokens: Tokens }),
  output_tokens: Tokens,
  output_tokens_details: Type.Object({ reasoning_tokens: Tokens }),
  total_tokens: Tokens,
});
export type BatchUsage = Static<typeof BatchUsage>;

const Row = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  endpoint: nullable(Type.String()),
  inputFile: Type.String(),
  inputSha256: Type.String(),
  metadata: nullable(Type.Record(Type.String(), Type.String())),
  status: Type.Unsafe<BatchStatus>({ enum: [...batchStatuses] }),
  total: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer(),
  errors: nullable(Type.Array(BatchError)),
  outputFile: nullable(Type.String()),
  errorFile: nullable(Type.String()),
  usage: nullable(BatchUsage),
  createdAt: Instant,
  inProgressAt: OptionalInstant,
  finalizingAt: OptionalInstant,
  cancellingAt: OptionalInstant,
  endedAt: OptionalInstant,
  expiresAt: Instant,
});
export type Batch = Static<typeof Row>;

const batchRow = row(Row);
const columns = sql.fragment`
  id, owner, endpoint, input_file as "inputFile", encode(input_sha256, 'hex') as "inputSha256", metadata, status, total,
  completed, failed, errors, output_file as "outputFile", error_file as "errorFile", usage, created_at as "createdAt",
  in_progress_at as "inProgressAt", finalizing_at as "finalizingAt", cancelling_at as "cancellingAt", ended_at as "endedAt",
  expires_at as "expiresAt"`;

type Tx = { readonly db: CommonQueryMethods };

/**
 * Returns the batch that a job carries out, and creates it where there is none yet: the route or the worker, whichever
 * comes first.
 */
export async function openBatch(
  { db }: Tx,
  id: string,
  owner: string,
  { file, sha256, endpoint, metadata }: Payload<typeof batch>,
): Promise<Batch> {
  await db.query(sql.unsafe`
    insert into batches (id, owner, endpoint, input_file, input_sha256, metadata, status, expires_at)
    values (${id}, ${owner}, ${endpoint}, ${file}, decode(${sha256}, 'hex'), ${JSON.stringify(metadata)}::jsonb,
      'validating', now() + ${batchWindowHours} * interval '1 hour')
    on conflict (id) do nothing`);
  return await db.one(sql.type(batchRow)`select ${columns} from batches where id = ${id}`);
}

/** A batch of this owner; null where they have none of this id. */
export async function readBatch({ db }: Tx, owner: string, id: string): Promise<Batch | null> {
  return await db.maybeOne(sql.type(batchRow)`select ${columns} from batches where id = ${id} and owner = ${owner}`);
}

/** An owner's batches, newest first, of those behind `after`. */
export async function listBatches(
  { db }: Tx,
  { owner, after, limit }: { readonly owner: string; readonly after?: string | undefined; readonly limit: number },
): Promise<readonly Batch[]> {
  return await db.any(sql.type(batchRow)`
    select ${columns} from batches where owner = ${owner}
    and ${after === undefined ? sql.fragment`true` : sql.fragment`id < ${after}`} order by id desc limit ${limit}`);
}

/** Its lines have been counted, and begin. A batch that is being cancelled stays so. */
export async function beginBatch({ db }: Tx, id: string, total: number): Promise<void> {
  await db.query(sql.unsafe`
    update batches set total = ${total}, in_progress_at = coalesce(in_progress_at, now()),
      status = case status when 'validating' then 'in_progress' else status end
    where id = ${id} and ended_at is null`);
}

/** Every line is over; from now on it cannot be cancelled. */
export async function finalizeBatch({ db }: Tx, id: string): Promise<Batch> {
  return await db.one(sql.type(batchRow)`
    update batches set finalizing_at = coalesce(finalizing_at, now()),
      status = case status when 'in_progress' then 'finalizing' else status end
    where id = ${id} returning ${columns}`);
}

/** Asks the worker that carries it out to stop. @returns null where it is too late for that */
export async function cancelBatch({ db }: Tx, id: string): Promise<Batch | null> {
  return await db.maybeOne(sql.type(batchRow)`
    update batches set cancelling_at = coalesce(cancelling_at, now()), status = 'cancelling'
    where id = ${id} and status in ('validating', 'in_progress', 'cancelling') returning ${columns}`);
}

const Standing = row(Type.Object({ isCancelled: Type.Boolean(), isLate: Type.Boolean(), isRevoked: Type.Boolean() }));

/**
 * Why a batch should stop before its lines are done; null where it should not.
 *
 * @param keyId the key that made it, which may do nothing more once it is revoked; null for none
 */
export async function stopOf(
  { db }: Tx,
  id: string,
  keyId: string | null,
): Promise<'cancelled' | 'expired' | 'revoked' | null> {
  const { isCancelled, isLate, isRevoked } = await db.one(sql.type(Standing)`
    select cancelling_at is not null as "isCancelled", expires_at <= now() as "isLate",
      exists (select from keys where keys.id = ${keyId} and revoked_at is not null) as "isRevoked"
    from batches where batches.id = ${id}`);
  if (isRevoked) return 'revoked';
  if (isCancelled) return 'cancelled';
  return isLate ? 'expired' : null;
}

/** The files that a batch leaves. */
export type ResultKind = 'output' | 'error';

/**
 * Names a batch's result file once, in the transaction that makes it; the file of answers is stored with their tokens.
 *
 * @throws AppError `stale_claim` where another worker was first, so that nothing of this attempt stays.
 */
export async function attachFile(
  tx: CommonQueryMethods,
  id: string,
  kind: ResultKind,
  file: string,
  usage: BatchUsage | null,
): Promise<void> {
  const { rowCount } = await tx.query(
    kind === 'output'
      ? sql.unsafe`
        update batches set output_file = ${file}, usage = ${JSON.stringify(usage)}::jsonb
        where id = ${id} and output_file is null and ended_at is null`
      : sql.unsafe`update batches set error_file = ${file} where id = ${id} and error_file is null and ended_at is null`,
  );
  if (rowCount > 0) return;
  throw new AppError('stale_claim', `expected a batch without a file of ${kind}, got one that has it.`, { batch: id });
}

/** Ends a batch, once, and lets go of its input. @returns whether this ended it */
export async function endBatch(
  context: Context,
  { id, inputSha256 }: Pick<Batch, 'id' | 'inputSha256'>,
  status: BatchEnd,
  errors: readonly BatchError[] | null = null,
): Promise<boolean> {
  return await context.db.transaction(async (tx) => {
    await lockContent(tx, inputSha256);
    const ended = await tx.maybeOne(sql.type(batchRow)`
      update batches set status = ${status}, ended_at = now(), errors = ${JSON.stringify(errors)}::jsonb
      where id = ${id} and ended_at is null returning ${columns}`);
    if (!ended) return false;
    await dropContent(context, tx, inputSha256);
    const { owner, total, completed, failed } = ended;
    await addNotice(tx, {
      owner,
      key: `batch:${id}`,
      type: `batch.${status}`,
      data: { id, status, total, completed, failed, links: { self: `/api/v2/batch/${id}` } },
    });
    return true;
  });
}
