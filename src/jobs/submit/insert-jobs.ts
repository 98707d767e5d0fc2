import { type DatabasePool, sql } from 'slonik';
import Type from 'typebox';
import { Job, jobColumns } from '#src/jobs/model/job.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import {
  type InsertedRow,
  insertAllDependents,
  insertDependents,
  insertMissing,
  insertNew,
  insertOfNode,
  sendInsert,
} from './insert-statements.ts';
import type { NewJob } from './new-job.ts';

interface Inserted {
  readonly job: Job;
  readonly created: boolean;
  readonly requestHash: string;
  /** True where it is there under the unique key alone. */
  readonly isHolder: boolean;
}

const winnerRow = row(
  Type.Interface([Job], {
    requestHash: Type.String(),
    uniqueKey: Type.Union([Type.String(), Type.Null()]),
    /** Idempotency key that it was found by: its own, or one that it had before; null for its id or its unique key. */
    foundBy: Type.Union([Type.String(), Type.Null()]),
  }),
);

const idempotencyOf = (job: { owner: string; idempotencyKey: string | null }) => `${job.owner}\0${job.idempotencyKey}`;

const uniqueKeyOf = (owner: string, queue: string, key: string | null | undefined) => `${owner}\0${queue}\0${key}`;

/**
 * Inserts a job and its first event, batched with whatever else is being submitted; or finds the one that was there. Null
 * where that one has given up its unique key since.
 */
export const insertJob = perContext((context) =>
  batched<NewJob, Inserted | null>(context, {
    patienceMs: 3_000,
    weigh: ({ payloadText }) => payloadText.length,
    refuse: (job, cause) =>
      new AppError(
        'invalid_payload',
        `The payload of ${job.queue} holds a value that cannot be stored: expected text without \\u0000 and lone surrogates, and nesting below 1,000 levels.`,
        {},
        cause,
      ),
    run: async (jobs, again) => {
      const made = await insert(context, jobs, again);
      const inserted = (job: NewJob, stored: InsertedRow) => {
        const { requestHash } = job;
        return { job: storedJob(job, stored), created: true, requestHash, isHolder: false };
      };
      // mostly all of them are new, and come back in their order
      if (made.length === jobs.length && jobs.every(({ id }, index) => id === made[index]![0]))
        return jobs.map((job, index) => inserted(job, made[index]!));
      const fresh = new Map(made.map((stored) => [stored[0], stored]));
      const others = jobs.filter(({ id }) => !fresh.has(id));
      // in a second statement: in the first, the row of a racing winner is not visible
      const winners = others.length > 0 ? await findWinners(context.db, others) : [];
      const byId = new Map(winners.map((winner) => [winner.id, winner]));
      const byKey = new Map(
        winners
          .filter(({ foundBy }) => foundBy !== null)
          .map((winner) => [idempotencyOf({ owner: winner.owner, idempotencyKey: winner.foundBy }), winner]),
      );
      const byUnique = new Map(
        winners
          .filter(({ uniqueKey }) => uniqueKey !== null)
          .map((winner) => [uniqueKeyOf(winner.owner, winner.queue, winner.uniqueKey), winner]),
      );
      return jobs.map((submitted) => {
        const { id, owner, queue, unique } = submitted;
        const stored = fresh.get(id);
        if (stored) return inserted(submitted, stored);
        // our own id: an earlier try of this very batch got through
        const own = byId.get(id);
        const winner = own ?? (submitted.idempotencyKey === null ? undefined : byKey.get(idempotencyOf(submitted)));
        const holder = unique ? byUnique.get(uniqueKeyOf(owner, queue, unique.key)) : undefined;
        if (!winner && !holder && unique) return null;
        const { requestHash, uniqueKey: _key, foundBy: _by, ...job } = winner ?? holder ?? missing(submitted);
        return { job, created: own !== undefined, requestHash, isHolder: winner === undefined };
      });
    },
  }),
);

/**
 * Inserts jobs with their first events in one statement: all of them or none.
 *
 * @throws what Postgres answers, such as a violation of the uniqueness of keys
 */
export async function insertAll(context: Context, jobs: readonly NewJob[]): Promise<readonly Job[]> {
  const statement = jobs.some(({ dependsOn }) => dependsOn !== null) ? insertAllDependents : insertNew;
  const made = new Map((await sendInsert(context, statement, jobs)).map((one) => [one[0], one]));
  return jobs.map((job) => {
    const one = made.get(job.id);
    return one ? storedJob(job, one) : missing(job);
  });
}

/** Place in a flow that jobs are stored for, and what the node has once they are. */
export interface NodePage {
  readonly flow: string;
  /** Dispatch of the flow under which they were made. */
  readonly dispatch: number;
  readonly node: string;
  readonly total: number;
  readonly submitted: number;
}

/**
 * Inserts jobs of a node of a flow, of which some may be there already, and notes how many are there; nothing once the
 * flow has ended or begun anew. Answers those that are new.
 *
 * @throws what Postgres answers
 */
export async function insertOfFlow(
  context: Context,
  jobs: readonly NewJob[],
  { flow, dispatch, node, total, submitted }: NodePage,
): Promise<readonly Job[]> {
  const rows = await sendInsert(context, insertOfNode, jobs, [flow, dispatch, node, total, submitted]);
  const made = new Map(rows.map((one) => [one[0], one]));
  return jobs.flatMap((job) => {
    const one = made.get(job.id);
    return one ? [storedJob(job, one)] : [];
  });
}

function missing(job: NewJob): never {
  throw new AppError('unavailable', 'The job was not stored; submit it again with the same Idempotency-Key.', {
    job: job.id,
  });
}

/** Written out: copying one and leaving out parts of it cost a submit as much as a tenth of its process's time. */
function storedJob(job: NewJob, [, at, runAt, feed]: InsertedRow): Job {
  return {
    id: job.id,
    owner: job.owner,
    queue: job.queue,
    version: job.version,
    state: job.state,
    priority: job.priority,
    attempt: 0,
    failures: 0,
    dispatch: 1,
    payload: job.payload,
    result: null,
    // it has its payload here
    payloadContent: null,
    resultContent: null,
    error: null,
    parentId: job.parentId,
    approvalId: job.approvalId,
    idempotencyKey: job.idempotencyKey,
    suspect: false,
    held: job.held,
    feed,
    expiresAt: job.expiresAt === null ? null : new Date(job.expiresAt),
    group: job.group,
    metadata: job.metadataText === null ? null : (JSON.parse(job.metadataText) as unknown),
    receipt: job.receipt,
    gate: job.gate,
    events: 1,
    createdAt: at,
    queuedAt: at,
    runAt: runAt ?? at,
    startedAt: null,
    finishedAt: null,
  };
}

const keysOf = (job: NewJob) => `${uniqueKeyOf(job.owner, job.queue, job.unique?.key)}\0${idempotencyOf(job)}`;

async function insert(context: Context, batch: readonly NewJob[], again: boolean): Promise<InsertedRow[]> {
  const careful = again || batch.some(({ idempotencyKey, unique }) => idempotencyKey !== null || unique !== null);
  // in one order everywhere: two batches with the same keys in opposite orders would deadlock
  const jobs = careful ? batch.toSorted((a, b) => (keysOf(a) < keysOf(b) ? -1 : 1)) : batch;
  if (jobs.some(({ dependsOn }) => dependsOn !== null)) return await sendInsert(context, insertDependents, jobs);
  return await sendInsert(context, careful ? insertMissing : insertNew, jobs);
}

/** Finds the jobs that are there already: by their ids, by idempotency keys that they have or had, and by unique keys. */
export async function findWinners(db: DatabasePool, jobs: readonly NewJob[]) {
  const keyed = jobs.filter(({ idempotencyKey }) => idempotencyKey !== null);
  const unique = jobs.filter((job) => job.unique !== null);
  const texts = (values: readonly (string | null)[]) => sql.array([...values], 'text');
  const columnsOf = sql.fragment`${jobColumns}, j.unique_key as "uniqueKey"`;
  const hashOf = sql.fragment`encode(j.request_hash, 'hex') as "requestHash"`;
  const keys = sql.fragment`(select distinct * from unnest(
      ${texts(keyed.map(({ owner }) => owner))}, ${texts(keyed.map(({ idempotencyKey }) => idempotencyKey))}
    ) as k (owner, key)) k`;
  return await db.any(sql.type(winnerRow)`
    select ${columnsOf}, ${hashOf}, null as "foundBy"
    from jobs j
    where j.id = any(${sql.array(
      jobs.map(({ id }) => id),
      'uuid',
    )})
    union all
    select ${columnsOf}, ${hashOf}, k.key
    from ${keys} join jobs j on j.owner = k.owner and j.idempotency_key = k.key
    union all
    select ${columnsOf}, encode(f.request_hash, 'hex'), k.key
    from ${keys} join former_keys f on f.owner = k.owner and f.key = k.key join jobs j on j.id = f.job
    union all
    select ${columnsOf}, ${hashOf}, null
    from (select distinct * from unnest(
      ${texts(unique.map(({ owner }) => owner))}, ${texts(unique.map(({ queue }) => queue))},
      ${texts(unique.map((job) => job.unique?.key ?? null))}
    ) as k (owner, queue, key)) k
    join jobs j on j.owner = k.owner and j.queue = k.queue and j.unique_key = k.key`);
}

/** Checks whether one of these jobs of one owner comes under a key that another was replaced by before. */
export async function isReplacedOne({ db }: Pick<Context, 'db'>, jobs: readonly NewJob[]): Promise<boolean> {
  const keys = jobs.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  if (keys.length === 0) return false;
  return await db.exists(sql.unsafe`
    select from former_keys where owner = ${jobs[0]!.owner} and key = any(${sql.array(keys, 'text')})`);
}
