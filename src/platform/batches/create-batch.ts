import { type Static, Type } from 'typebox';
import type { Payload } from '#queues/define.ts';
import { batch } from '#queues/platform.ts';
import { admitWork } from '#src/access/quota.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { findByKey } from '#src/jobs/submit/find-by-key.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { deleteFile, readFile, recordFile, type StoredFile } from '#src/platform/files/file-store.ts';
import { assertSayable } from '#src/platform/text/assert-sayable.ts';
import { Webhook } from '#src/platform/webhooks/webhook-body.ts';
import { assertWebhook, keepWebhook } from '#src/platform/webhooks/webhook-store.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { mostBytes, mostLines } from './batch-limits.ts';
import { type Batch, openBatch } from './batch-store.ts';
import { findWork, pathOf } from './batch-works.ts';

const strict = { additionalProperties: false };

/** Members of a batch request, wherever its lines are. */
const common = {
  endpoint: Type.Optional(
    Type.String({ maxLength: 200, description: 'Endpoint of all lines: `/v1/…` or `/api/v2/…`; any without it' }),
  ),
  completion_window: Type.Optional(Type.Enum(['24h'], { type: 'string', description: 'Always a day' })),
  metadata: Type.Optional(
    Type.Union(
      [
        Type.Record(Type.String({ pattern: '^[^\\u0000]{1,64}$' }), Type.String({ maxLength: 512 }), {
          ...strict,
          maxProperties: 16,
        }),
        Type.Null(),
      ],
      { description: 'Up to 16 notes of yours' },
    ),
  ),
  output_expires_after: Type.Optional(
    Type.Object(
      {
        anchor: Type.Enum(['created_at'], { type: 'string' }),
        seconds: Type.Integer({ minimum: 3_600, maximum: 2_592_000 }),
      },
      { ...strict, description: 'Time for which the files of results are stored' },
    ),
  ),
  webhook: Type.Optional(Webhook),
};

/** A request as a line states it; the error file reports what is wrong with one. */
const Request = Type.Object(
  {
    custom_id: Type.Optional(
      Type.Unsafe<unknown>({ description: 'Your name for it, once in a batch: 1 to 512 characters' }),
    ),
    method: Type.Optional(Type.Unsafe<unknown>({ description: '`POST`' })),
    url: Type.Optional(Type.Unsafe<unknown>({ description: '`/v1/…` or `/api/v2/…`' })),
    body: Type.Optional(Type.Unsafe<unknown>({ description: 'Body as the route itself takes it' })),
  },
  { description: 'One request' },
);

export const CreateBatch = Type.Object(
  {
    input_file_id: Type.Optional(
      Type.String({ maxLength: 100, description: 'A file of purpose `batch`: a request in JSON on each line' }),
    ),
    requests: Type.Optional(
      Type.Array(Request, { minItems: 1, maxItems: mostLines, description: 'The requests themselves instead' }),
    ),
    ...common,
  },
  { ...strict, description: 'Either `input_file_id` or `requests`' },
);
export type CreateBatch = Static<typeof CreateBatch>;

/** A request for a batch, and the text and key by which a repetition is recognised. */
export interface BatchRequest {
  readonly body: CreateBatch;
  readonly text: string;
  readonly idempotencyKey: string | undefined;
}

/**
 * Accepts a batch. Requests that come with it become a file of its owner, as if they had been brought before.
 *
 * @throws AppError `invalid_request`, `not_found` for a file that is not theirs, `quota_exceeded`,
 *   `idempotency_conflict`.
 */
export async function createBatch(
  context: Context,
  principal: Principal,
  { body, text, idempotencyKey }: BatchRequest,
): Promise<{ readonly batch: Batch; readonly job: Job; readonly created: boolean }> {
  const { owner } = principal;
  assertSayable({ metadata: body.metadata });
  if (body.webhook) assertWebhook(context.config, body.webhook);
  const known = idempotencyKey === undefined ? null : await findByKey(context, owner, batch.name, idempotencyKey);
  const endpoint = endpointOf(body);
  if (!known) await admitWork(context)(principal, batch.name);
  const input = known ? null : await inputOf(context, owner, body);
  const payload = known
    ? (known.payload as Payload<typeof batch>)
    : payloadOf(body, endpoint, input!.file, principal.keyId);
  const drop = async () => void (input?.isOurs && (await deleteFile(context, input.file)));
  const submission = { principal, payload, ...(idempotencyKey !== undefined && { idempotencyKey, request: text }) };
  const { job, created } = await submit(context, batch, submission).catch(async (error: unknown) => {
    await drop();
    throw error;
  });
  // the same request came twice at once, and the other was first
  if (!created) await drop();
  if (body.webhook) await keepWebhook(context, principal, job, body.webhook);
  return { batch: await openBatch(context, job.id, owner, job.payload as Payload<typeof batch>), job, created };
}

function payloadOf(
  { metadata = null, output_expires_after: expiry }: CreateBatch,
  endpoint: string | null,
  { id, sha256, size }: StoredFile,
  keyId: string | null,
): Payload<typeof batch> {
  return { file: id, sha256, size, endpoint, metadata, outputSeconds: expiry?.seconds ?? null, keyId };
}

function endpointOf({ endpoint }: CreateBatch): string | null {
  if (endpoint === undefined) return null;
  const path = pathOf(endpoint);
  if (path !== null && findWork(path)) return path;
  const message = `endpoint: expected a route that batches know, got ${JSON.stringify(endpoint)}.`;
  throw new AppError('invalid_request', message, { field: 'body.endpoint', value: endpoint });
}

async function inputOf(context: Context, owner: string, { input_file_id: id, requests }: CreateBatch) {
  if ((id === undefined) === (requests === undefined)) {
    const got = id === undefined ? 'neither' : 'both';
    throw new AppError('invalid_request', `expected either input_file_id or requests, got ${got}.`, {
      field: 'body.input_file_id',
      value: id ?? null,
    });
  }
  if (requests) return { file: await keepRequests(context, owner, requests), isOurs: true };
  return { file: await batchFile(context, owner, id ?? ''), isOurs: false };
}

async function batchFile(context: Context, owner: string, id: string): Promise<StoredFile> {
  const file = await readFile(context, owner, id);
  const refuse = (code: 'not_found' | 'invalid_request', expected: string, got: string) =>
    new AppError(code, `input_file_id: expected ${expected}, got ${got}.`, { field: 'body.input_file_id', value: id });
  if (!file) throw refuse('not_found', 'the id of a file of yours', JSON.stringify(id));
  if (file.purpose !== 'batch') throw refuse('invalid_request', 'a file of purpose batch', `one of ${file.purpose}`);
  if (file.size > mostBytes) {
    throw refuse('invalid_request', `a file of at most ${mostBytes} bytes`, `one of ${file.size}`);
  }
  return file;
}

async function keepRequests(context: Context, owner: string, requests: readonly object[]): Promise<StoredFile> {
  const text = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
  const content = await blobsOf(context).put(Buffer.from(text));
  const file = { owner, name: 'requests.jsonl', purpose: 'batch', mediaType: 'application/jsonl' } as const;
  return await context.db.transaction(async (tx) => await recordFile(context, tx, content, file));
}
