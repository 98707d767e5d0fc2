import { publishOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
import { isConnectionLost } from '#src/system/postgres/postgres-errors.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import { type Budget, refuseSpend } from './budget-rows.ts';
import { type Call, openBudget } from './budgets.ts';
import { countRefusal } from './count-refusal.ts';
import { monthlyBudgets } from './monthly-budgets.ts';

/** A job that begins to run in the moment it is made, with the first call that it makes. */
export interface PaidJob {
  readonly id: string;
  readonly queue: string;
  readonly priority: number;
  /** JSON. */
  readonly payload: string;
  /** Hexadecimal SHA-256 of the request. */
  readonly requestHash: string;
  readonly idempotencyKey: string | null;
  readonly trace: string | null;
  /** The worker that runs it, whose lease is held here, and the token of its claim. */
  readonly worker: string;
  readonly token: string;
  /** Name of the effect by which it calls, and the hexadecimal SHA-256 of what it sends. */
  readonly effect: string;
  readonly effectHash: string;
  readonly call: Omit<Call, 'job'>;
}

/** `taken`: its owner has used the idempotency key before, and nothing was made. */
export type Begun = 'begun' | 'taken';

type Row = readonly [
  id: string | null,
  isAlive: boolean,
  n: number | null,
  at: Date | null,
  budgets: readonly Budget[] | null,
];

/**
 * In one statement, so that it costs one commit: the job as running at its first attempt, the two events that say so,
 * the intent of its first effect, and the reservation of what that was quoted at, with the event for its owner. All of
 * it, or nothing. Locks in the order in which `reserve` does: budgets by id, the owner's stream last.
 */
const beginPaidJob: Statement = {
  name: 'begin-paid-job',
  text: `
    with locked as materialized (
      select id, ceiling, reserved, spent from budgets where id = any($18::text[]) order by id for update
    ), fit as materialized (
      select count(*) = cardinality($18::text[])
        and bool_and($19::bigint = 0 or ceiling is null or reserved + spent + $19::bigint <= ceiling) as ok from locked
    ), alive as materialized (
      select exists (select from workers where id = $8::uuid) as ok
    ), job as (
      insert into jobs (id, owner, queue, state, priority, payload, request_hash, idempotency_key, trace, worker_id,
        claim_token, attempt, events, started_at)
      select $1::uuid, $2::text, $3::text, 'running', $4::int2, $5::jsonb, decode($6::text, 'hex'), $7::text, $20::text,
        $8::uuid, $9::uuid, 1, 2, now()
      from fit, alive where fit.ok and alive.ok
      on conflict do nothing
      returning id
    ), told as (
      insert into events (job, n, type, data)
      select id, 1, 'queued', jsonb_build_object('queue', $3::text) from job
      union all
      select id, 2, 'started', jsonb_build_object('attempt', 1, 'worker', $8::uuid) from job
    ), intent as (
      insert into effects (job, effect, request_hash, state, attempt)
      select id, $10::text, decode($11::text, 'hex'), 'intended', 1 from job
    ), called as (
      insert into provider_calls (job, provider, owner, key_id, surface, capability, budgets, quoted, state)
      select id, $12::text, $2::text, $13::uuid, $14::text, $15::text, $18::text[], $19::bigint, 'reserved' from job
    ), taken as (
      update budgets b set reserved = b.reserved + $19::bigint, updated_at = now() from locked l, job where b.id = l.id
    ), next as (
      insert into owner_feeds as f (owner, n) select $2::text, 1 from job
      on conflict (owner) do update set n = f.n + 1 returning n
    ), noted as (
      insert into owner_events (owner, n, type, data) select $2::text, n, $16::text, $17::jsonb from next returning n, at
    )
    select (select id from job), (select ok from alive), (select n from noted), (select at from noted),
      (select json_agg(locked) from locked)`,
};

/** Finds this job where an earlier try got through and its answer was lost. */
const findPaidJob: Statement = {
  name: 'find-paid-job',
  text: 'select id from jobs where id = $1::uuid and claim_token = $2::uuid',
};

/** Ceilings of the budgets that this process has opened; more than these are opened again. */
const opened = perContext(() => new Map<string, number | null>());
const MOST_OPENED = 10_000;
const TRIES = 3;

/**
 * Begins a job and reserves its first call.
 *
 * @throws AppError `budget_exceeded` with the numbers, `invalid_payload` for a key that cannot be stored, `unavailable`
 *   where this process has lost its lease or Postgres is away.
 */
export async function beginPaid(context: Context, job: PaidJob): Promise<Begun> {
  const { call } = job;
  const budgets = await openAll(context, call);
  const event = { job: job.id, provider: call.provider, surface: call.surface, capability: call.capability };
  const data = { ...event, usd: call.quoted / 1e6 };
  const values = [
    job.id,
    call.owner,
    job.queue,
    job.priority,
    job.payload,
    job.requestHash,
    job.idempotencyKey,
    job.worker,
    job.token,
    job.effect,
    job.effectHash,
    call.provider,
    call.keyId,
    call.surface,
    call.capability,
    'spend.reserved',
    JSON.stringify(data),
    budgets,
    call.quoted,
    job.trace,
  ];
  for (let tries = 1; ; tries++) {
    try {
      const [row] = await openStatements(context)<Row>(beginPaidJob, values);
      const [id, isAlive, n, at, found] = row ?? [null, false, null, null, null];
      if (id !== null && n !== null && at !== null) {
        void publishOwnerEvents(context, call.owner, [{ n, type: 'spend.reserved', at, data }]);
        return 'begun';
      }
      if (!isAlive) throw new AppError('unavailable', 'This process cannot begin work for the moment; try again.');
      refuseSpend(found ?? [], budgets, call.quoted);
      const mine = tries > 1 && (await openStatements(context)(findPaidJob, [job.id, job.token])).length > 0;
      return mine ? 'begun' : 'taken';
    } catch (error) {
      if (!isConnectionLost(error) || tries === TRIES) throw countRefusal(context, error);
      void logFailure(
        context,
        error,
        { job: job.id },
        'Postgres did not answer; a job is begun again under its own id',
      );
    }
  }
}

async function openAll(context: Context, call: Omit<Call, 'job'>): Promise<readonly string[]> {
  const known = opened(context);
  const monthly = monthlyBudgets(context.config, call, new Date());
  for (const { id, ceiling } of monthly) {
    if (known.get(id) === ceiling && known.has(id)) continue;
    await openBudget(context.db, id, ceiling);
    if (known.size >= MOST_OPENED) known.clear();
    known.set(id, ceiling);
  }
  return [...new Set([...call.budgets, ...monthly.map(({ id }) => id)])];
}
