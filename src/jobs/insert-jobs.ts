import { type DatabasePool, sql } from 'slonik';
import Type from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres.ts';
import { batched } from './batched.ts';
import { Job, jobColumns } from './job.ts';
import type { State } from './states.ts';

interface NewJob {
  readonly id: string;
  readonly owner: string;
  readonly queue: string;
  readonly state: State;
  readonly priority: number;
  readonly payload: unknown;
  /** The same as JSON. */
  readonly payloadText: string;
  readonly requestHash: string;
  readonly idempotencyKey: string | null;
  readonly approvalId: string | null;
  readonly parentId: string | null;
  readonly runAt: string | null;
  readonly trace: string | null;
}

interface Inserted {
  readonly job: Job;
  readonly created: boolean;
  readonly requestHash: string;
}

const insertedRow = row(Type.Object({ id: Type.String(), at: Type.Unsafe<Date>({}), runAt: Type.Unsafe<Date>({}) }));
const winnerRow = row(Type.Interface([Job], { requestHash: Type.String() }));

const idempotencyOf = (job: { owner: string; idempotencyKey: string | null }) => `${job.owner}\0${job.idempotencyKey}`;

/** Inserts a job and its first event, batched with whatever else is being submitted; or finds the one that was there. */
export const insertJob = perContext((context) =>
  batched<NewJob, Inserted>(context, {
    patienceMs: 3_000,
    refuse: (job, cause) =>
      new AppError(
        'invalid_payload',
        `The payload of ${job.queue} holds a value that cannot be stored: expected text without \\u0000 and lone surrogates, and nesting below 1,000 levels.`,
        {},
        cause,
      ),
    run: async (jobs) => {
      const fresh = new Map((await insert(context.db, jobs)).map((made) => [made.id, made]));
      const others = jobs.filter(({ id }) => !fresh.has(id));
      // in a second statement: in the first, the row of a racing winner is not visible
      const winners = others.length > 0 ? await findWinners(context.db, others) : [];
      const byId = new Map(winners.map((winner) => [winner.id, winner]));
      const byKey = new Map(
        winners
          .filter(({ idempotencyKey }) => idempotencyKey !== null)
          .map((winner) => [idempotencyOf(winner), winner]),
      );
      return jobs.map((given) => {
        const made = fresh.get(given.id);
        if (made) return { job: newJob(given, made), created: true, requestHash: given.requestHash };
        // our own id: an earlier try of this very batch got through
        const own = byId.get(given.id);
        const { requestHash, ...job } = own ?? byKey.get(idempotencyOf(given)) ?? missing(given);
        return { job, created: own !== undefined, requestHash };
      });
    },
  }),
);

function missing(job: NewJob): never {
  throw new AppError('unavailable', 'The job was not stored; submit it again with the same Idempotency-Key.', {
    job: job.id,
  });
}

function newJob(given: NewJob, { at, runAt }: { at: Date; runAt: Date }): Job {
  const { requestHash: _hash, trace: _trace, payloadText: _text, ...kept } = given;
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
  };
  return { ...kept, ...unset, createdAt: at, queuedAt: at, runAt };
}

async function insert(db: DatabasePool, given: readonly NewJob[]) {
  // in one order everywhere: two batches with the same idempotency keys in opposite orders would deadlock
  const jobs = given.toSorted((a, b) => (idempotencyOf(a) < idempotencyOf(b) ? -1 : 1));
  const column = (name: Exclude<keyof NewJob, 'payload'>, type: string) =>
    sql.array(
      jobs.map((job) => job[name]),
      type,
    );
  return await db.any(sql.type(insertedRow)`
    with given as (
      select * from unnest(
        ${column('id', 'uuid')}, ${column('owner', 'text')}, ${column('queue', 'text')}, ${column('state', 'text')},
        ${column('priority', 'int2')}, ${column('payloadText', 'text')}, ${column('requestHash', 'text')},
        ${column('idempotencyKey', 'text')}, ${column('approvalId', 'uuid')}, ${column('parentId', 'uuid')},
        ${column('runAt', 'timestamptz')}, ${column('trace', 'text')}
      ) as g (id, owner, queue, state, priority, payload, request_hash, idempotency_key, approval_id, parent_id, run_at, trace)
    ), inserted as (
      insert into jobs (id, owner, queue, state, priority, payload, request_hash, idempotency_key, approval_id, parent_id, run_at, trace)
      select id, owner, queue, state, priority, payload::jsonb, decode(request_hash, 'hex'), idempotency_key, approval_id,
        parent_id, coalesce(run_at, now()), trace
      from given
      on conflict do nothing
      returning id, state, queue, created_at, run_at
    ), told as (
      insert into events (job, n, type, data) select id, 1, state, jsonb_build_object('queue', queue) from inserted
    )
    select id, created_at as at, run_at as "runAt" from inserted`);
}

async function findWinners(db: DatabasePool, jobs: readonly NewJob[]) {
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
