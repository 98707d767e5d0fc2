import { type Static, Type } from 'typebox';
import type { JobSummary } from '#src/jobs/model/job.ts';
import { jobSummaryView } from '#src/jobs/model/job-view.ts';
import { Count } from '#src/lib/validation/schema-parts.ts';
import { publicId } from '#src/platform/edge/list-query.ts';
import { type Batch, BatchError, type BatchStatus, BatchUsage, batchStatuses } from './batch-store.ts';

const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const Time = (description: string) => Type.Integer({ description: `${description}, in seconds since 1970` });
const OptionalTime = (description: string) =>
  nullable(Type.Integer(), `${description}, in seconds since 1970; null where it has not come to that`);
const FileId = (description: string) => nullable(Type.String(), description);

/** A batch as clients of OpenAI's kind know it, with what is said of its job beside. */
export const BatchView = Type.Object(
  {
    id: Type.String({ description: 'Names the batch' }),
    object: Type.Enum(['batch'], { type: 'string' }),
    endpoint: Type.String({ description: 'Endpoint of all lines; `/api/v2` where each line names its own' }),
    errors: nullable(
      Type.Object({ object: Type.Enum(['list'], { type: 'string' }), data: Type.Array(BatchError) }),
      'Why the file cannot be a batch; bad lines are in the error file',
    ),
    input_file_id: Type.String({ description: 'The requests, one a line' }),
    completion_window: Type.Enum(['24h'], {
      type: 'string',
      description: 'Time for the batch; lines that are not done by then are given up',
    }),
    status: Type.Enum([...batchStatuses], { type: 'string', description: 'Status of the batch' }),
    output_file_id: FileId('The answers, one a line; null before the end, and where there are none'),
    error_file_id: FileId('The lines that failed, and why; null before the end, and where there are none'),
    created_at: Time('Time at which it was accepted'),
    in_progress_at: OptionalTime('Time at which its first line began'),
    expires_at: Time('Time at which unfinished lines are given up'),
    finalizing_at: OptionalTime('Time at which its last line was over'),
    completed_at: OptionalTime('Time at which its results were written'),
    failed_at: OptionalTime('Time at which it failed as a whole'),
    expired_at: OptionalTime('Time at which it ended because its window was over'),
    cancelling_at: OptionalTime('Time at which it was cancelled'),
    cancelled_at: OptionalTime('Time at which it ended because it was cancelled'),
    request_counts: Type.Object({
      total: Count('Lines; 0 before they are counted'),
      completed: Count('Lines that have an answer'),
      failed: Count('Lines that failed'),
    }),
    usage: Type.Optional(BatchUsage),
    metadata: nullable(Type.Record(Type.String(), Type.String()), 'Your own notes on it'),
    job: nullable(Type.Ref('JobSummary'), 'The job that carries it out; null once it is forgotten'),
    run: Type.Object(
      {
        id: Type.String({ format: 'uuid', description: 'Names what was run: the id of the job' }),
        attempt: nullable(Type.Integer(), 'Number of times that a worker has taken it up'),
      },
      { description: 'Its processing' },
    ),
    audit_receipt: Type.Null({ description: 'The sealed receipt: batches have none' }),
  },
  { $id: 'Batch', title: 'Batch', description: 'Many requests that are carried out within a day' },
);
export type BatchView = Static<typeof BatchView>;

export function batchView(batch: Batch, job: JobSummary | null): BatchView {
  const ended = (status: BatchStatus) => (batch.status === status ? seconds(batch.endedAt) : null);
  const file = (id: string | null) => (id === null ? null : publicId('file', id));
  return {
    id: publicId('batch', batch.id),
    object: 'batch',
    endpoint: batch.endpoint === null ? '/api/v2' : `/v1${batch.endpoint}`,
    errors: batch.errors && { object: 'list', data: batch.errors },
    input_file_id: publicId('file', batch.inputFile),
    completion_window: '24h',
    status: batch.status,
    output_file_id: file(batch.outputFile),
    error_file_id: file(batch.errorFile),
    created_at: whole(batch.createdAt),
    in_progress_at: seconds(batch.inProgressAt),
    expires_at: whole(batch.expiresAt),
    finalizing_at: seconds(batch.finalizingAt),
    completed_at: ended('completed'),
    failed_at: ended('failed'),
    expired_at: ended('expired'),
    cancelling_at: seconds(batch.cancellingAt),
    cancelled_at: ended('cancelled'),
    request_counts: { total: batch.total, completed: batch.completed, failed: batch.failed },
    ...(batch.usage && { usage: batch.usage }),
    metadata: batch.metadata,
    job: job && jobSummaryView(job),
    run: { id: batch.id, attempt: job?.attempt ?? null },
    audit_receipt: null,
  };
}

const whole = (at: Date): number => Math.floor(at.getTime() / 1_000);
const seconds = (at: Date | null): number | null => at && whole(at);
