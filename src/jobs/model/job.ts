import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { row } from '#src/system/postgres/postgres.ts';
import { ContentRef } from './content-ref.ts';
import { type Feed, feeds } from './feed.ts';
import { type Gate, gates } from './gates.ts';
import { type State, states } from './states.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Instant = Type.Unsafe<Date>({});
const Json = Type.Unsafe<unknown>({});

export const JobError = Type.Object({ code: Type.String(), message: Type.String(), details: Type.Optional(Json) });
export type JobError = Static<typeof JobError>;

/** A job as Postgres has it. */
export const Job = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  queue: Type.String(),
  version: Type.Integer(),
  state: Type.Unsafe<State>({ enum: [...states] }),
  priority: Type.Integer(),
  attempt: Type.Integer(),
  failures: Type.Integer(),
  dispatch: Type.Integer(),
  payload: Json,
  result: Json,
  /** References of what does not lie in the row: `wholeJob` puts them into their places. */
  payloadContent: nullable(ContentRef),
  resultContent: nullable(ContentRef),
  error: nullable(JobError),
  parentId: nullable(Type.String()),
  approvalId: nullable(Type.String()),
  idempotencyKey: nullable(Type.String()),
  suspect: Type.Boolean(),
  held: Type.Boolean(),
  feed: Type.Unsafe<Feed>({ enum: [...feeds] }),
  expiresAt: nullable(Instant),
  group: nullable(Type.String()),
  metadata: Json,
  receipt: nullable(Type.Unsafe<'wanted' | 'sealed'>({ enum: ['wanted', 'sealed'] })),
  /** Next step under its terms; null for none. */
  gate: nullable(Type.Unsafe<Gate>({ enum: [...gates] })),
  events: Type.Integer(),
  createdAt: Instant,
  queuedAt: Instant,
  runAt: Instant,
  startedAt: nullable(Instant),
  finishedAt: nullable(Instant),
});
export type Job = Static<typeof Job>;

export const jobRow = row(Job);

/** A job without what can be large: what lists show. */
export const JobSummary = Type.Omit(Job, ['payload', 'result', 'payloadContent', 'resultContent']);
export type JobSummary = Static<typeof JobSummary>;
export const jobSummaryRow = row(JobSummary);

/** The columns of a {@link JobSummary}, of a table called `j`. */
export const jobSummaryColumns = sql.fragment`
  j.id, j.owner, j.queue, j.version, j.state, j.priority, j.attempt, j.failures, j.dispatch, j.error,
  j.parent_id as "parentId", j.approval_id as "approvalId", j.idempotency_key as "idempotencyKey", j.suspect, j.held, j.feed, j.expires_at as "expiresAt", j.group_key as "group", j.metadata, j.receipt, j.gate, j.events,
  j.created_at as "createdAt", j.queued_at as "queuedAt", j.run_at as "runAt", j.started_at as "startedAt",
  j.finished_at as "finishedAt"`;

/** The columns of a {@link Job}, of a table called `j`. */
export const jobColumns = sql.fragment`${jobSummaryColumns}, j.payload, j.result,
  j.payload_content as "payloadContent", j.result_content as "resultContent"`;
