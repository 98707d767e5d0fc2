import { type DatabasePool, sql } from 'slonik';
import Type from 'typebox';
import { openBroker } from '#src/jobs/broker/broker.ts';
import type { ContentRef } from '#src/jobs/model/content-ref.ts';
import { type Feed, feedBy } from '#src/jobs/model/feed.ts';
import type { Gate } from '#src/jobs/model/gates.ts';
import { Job, jobColumns } from '#src/jobs/model/job.ts';
import type { State } from '#src/jobs/model/states.ts';
import type { ContractText } from '#src/jobs/registry/contract-text.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import { batched } from '#src/system/batched.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';

/** A job that is about to be stored. */
export interface NewJob {
  readonly id: string;
  readonly owner: string;
  readonly queue: string;
  readonly version: number;
  readonly state: State;
  readonly priority: number;
  readonly payload: unknown;
  /** Text that the row gets: the same as JSON, or `null` where it lies beside the row. */
  readonly payloadText: string;
  readonly payloadContent: ContentRef | null;
  readonly requestHash: string;
  readonly idempotencyKey: string | null;
  readonly approvalId: string | null;
  readonly parentId: string | null;
  readonly held: boolean;
  readonly runAt: string | null;
  readonly expiresAt: string | null;
  readonly group: string | null;
  /** JSON text. */
  readonly metadataText: string | null;
  readonly receipt: 'wanted' | null;
  /** JSON text. */
  readonly termsText: string | null;
  readonly gate: Gate | null;
  /** Contract that it is accepted under; null where it asks for no receipt. */
  readonly contract: ContractText | null;
  /** Key that submits it. */
  readonly keyId: string | null;
  readonly trace: string | null;
}

interface Inserted {
  readonly job: Job;
  readonly created: boolean;
  readonly requestHash: string;
}

/** Id, time of creation, when it may run where that is another time, and its place on the way to a worker. */
type InsertedRow = readonly [id: string, at: Date, runAt: Date | null, feed: Feed];
const winnerRow = row(Type.Interface([Job], { requestHash: Type.String() }));

const idempotencyOf = (job: { owner: string; idempotencyKey: string | null }) => `${job.owner}\0${job.idempotencyKey}`;

/**
 * Inserts a job and its first event, batched with whatever else is being submitted; or finds the one that was there.
 */
export const insertJob = perContext((context) =>
  batched<NewJob, Inserted>(context, {
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
      const fresh = new Map((await insert(context, jobs, again)).map((made) => [made[0], made]));
      const others = jobs.filter(({ id }) => !fresh.has(id));
      // in a second statement: in the first, the row of a racing winner is not visible
      const winners = others.length > 0 ? await findWinners(context.db, others) : [];
      const byId = new Map(winners.map((winner) => [winner.id, winner]));
      const byKey = new Map(
        winners
          .filter(({ idempotencyKey }) => idempotencyKey !== null)
          .map((winner) => [idempotencyOf(winner), winner]),
      );
      return jobs.map((submitted) => {
        const made = fresh.get(submitted.id);
        if (made) return { job: storedJob(submitted, made), created: true, requestHash: submitted.requestHash };
        // our own id: an earlier try of this very batch got through
        const own = byId.get(submitted.id);
        const { requestHash, ...job } = own ?? byKey.get(idempotencyOf(submitted)) ?? missing(submitted);
        return { job, created: own !== undefined, requestHash };
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
  const made = new Map((await sendInsert(context, insertNew, jobs)).map((one) => [one[0], one]));
  return jobs.map((job) => {
    const one = made.get(job.id);
    return one ? storedJob(job, one) : missing(job);
  });
}

function missing(job: NewJob): never {
  throw new AppError('unavailable', 'The job was not stored; submit it again with the same Idempotency-Key.', {
    job: job.id,
  });
}

function storedJob(submitted: NewJob, [, at, runAt, feed]: InsertedRow): Job {
  const {
    requestHash: _hash,
    trace: _trace,
    payloadText: _text,
    termsText: _terms,
    metadataText,
    expiresAt,
    contract: _contract,
    keyId: _key,
    ...kept
  } = submitted;
  const unset = {
    attempt: 0,
    failures: 0,
    dispatch: 1,
    result: null,
    error: null,
    suspect: false,
    events: 1,
    startedAt: null,
    finishedAt: null,
    resultContent: null,
  };
  return {
    ...kept,
    ...unset,
    feed,
    // it has its payload here
    payloadContent: null,
    metadata: metadataText === null ? null : (JSON.parse(metadataText) as unknown),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    createdAt: at,
    queuedAt: at,
    runAt: runAt ?? at,
  };
}

const insertStatement = (name: string, onConflict: string): Statement => ({
  name,
  text: `
    with given as (
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int2[], $6::text[], $7::text[], $8::text[],
        $9::uuid[], $10::uuid[], $11::timestamptz[], $12::text[], $13::bool[], $14::int4[], $15::timestamptz[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::uuid[], $24::text[])
        as g (id, owner, queue, state, priority, payload, request_hash, idempotency_key, approval_id, parent_id, run_at, trace, held,
          version, expires_at, group_key, metadata, receipt, payload_content, terms, gate, contract, key_id, feed)
    ), inserted as (
      insert into jobs (id, owner, queue, state, priority, payload, request_hash, idempotency_key, approval_id, parent_id, run_at, trace, held,
        version, expires_at, group_key, metadata, receipt, payload_content, terms, gate, contract, key_id, feed)
      select id, owner, queue, state, priority, payload::jsonb, decode(request_hash, 'hex'), idempotency_key, approval_id,
        parent_id, coalesce(run_at, now()), trace, held, version, expires_at, group_key, metadata::jsonb, receipt, payload_content::jsonb, terms::jsonb, gate, contract, key_id,
        ${feedBy('run_at', 'feed')}
      from given
      ${onConflict}
      returning id, state, queue, created_at, run_at, feed
    ), told as (
      insert into events (job, n, type, data) select id, 1, state, jsonb_build_object('queue', queue) from inserted
    )
    select id, created_at, nullif(run_at, created_at), feed from inserted`,
});

const insertNew = insertStatement('insert-jobs', '');
/** Costs two more look-ups a row: for what may be there already. */
const insertMissing = insertStatement('insert-missing-jobs', 'on conflict do nothing');

async function insert(context: Context, batch: readonly NewJob[], again: boolean): Promise<InsertedRow[]> {
  const careful = again || batch.some(({ idempotencyKey }) => idempotencyKey !== null);
  // in one order everywhere: two batches with the same idempotency keys in opposite orders would deadlock
  const jobs = careful ? batch.toSorted((a, b) => (idempotencyOf(a) < idempotencyOf(b) ? -1 : 1)) : batch;
  return await sendInsert(context, careful ? insertMissing : insertNew, jobs);
}

async function sendInsert(context: Context, statement: Statement, jobs: readonly NewJob[]): Promise<InsertedRow[]> {
  const text = (
    name:
      | 'owner'
      | 'queue'
      | 'payloadText'
      | 'idempotencyKey'
      | 'approvalId'
      | 'parentId'
      | 'runAt'
      | 'expiresAt'
      | 'group'
      | 'metadataText'
      | 'termsText',
  ) => textArray(jobs.map((job) => job[name]));
  const plain = (name: Exclude<keyof NewJob, 'payload' | 'payloadContent' | 'contract'>) =>
    plainArray(jobs.map((job) => job[name]));
  const broker = openBroker(context);
  return await openStatements(context)<InsertedRow>(statement, [
    plain('id'),
    text('owner'),
    text('queue'),
    plain('state'),
    plain('priority'),
    text('payloadText'),
    plain('requestHash'),
    text('idempotencyKey'),
    text('approvalId'),
    text('parentId'),
    text('runAt'),
    plain('trace'),
    plain('held'),
    plain('version'),
    text('expiresAt'),
    text('group'),
    text('metadataText'),
    plain('receipt'),
    textArray(jobs.map(({ payloadContent }) => payloadContent && JSON.stringify(payloadContent))),
    text('termsText'),
    plain('gate'),
    plainArray(jobs.map(({ contract }) => contract && contract.digest)),
    plain('keyId'),
    plainArray(jobs.map((job) => (broker.isShort(job) ? 'fed' : 'ready'))),
  ]);
}

/** The jobs that are there under these ids, or under the same owners and keys. */
export async function findWinners(db: DatabasePool, jobs: readonly NewJob[]) {
  const keyed = jobs.filter(({ idempotencyKey }) => idempotencyKey !== null);
  return await db.any(sql.type(winnerRow)`
    select ${jobColumns}, encode(j.request_hash, 'hex') as "requestHash"
    from jobs j
    where j.id = any(${sql.array(
      jobs.map(({ id }) => id),
      'uuid',
    )})
    union all
    select ${jobColumns}, encode(j.request_hash, 'hex') as "requestHash"
    from (select distinct * from unnest(
      ${sql.array(
        keyed.map(({ owner }) => owner),
        'text',
      )}, ${sql.array(
        keyed.map(({ idempotencyKey }) => idempotencyKey),
        'text',
      )}
    ) as k (owner, key)) k
    join jobs j on j.owner = k.owner and j.idempotency_key = k.key`);
}
