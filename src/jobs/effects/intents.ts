import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { isConnectionLost } from '#src/system/postgres/postgres-errors.ts';

const State = Type.Unsafe<'intended' | 'done' | 'failed' | 'unknown'>({
  enum: ['intended', 'done', 'failed', 'unknown'],
});
const stateRow = row(Type.Object({ effect: Type.String(), state: State }));

/**
 * Reads the states of the named effects of a job; one that was never intended is missing. `intended`: it may be under
 * way, or its process ended before it recorded the outcome.
 */
export async function effectStates(
  { db }: Pick<Context, 'db'>,
  job: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, 'intended' | 'done' | 'failed' | 'unknown'>> {
  const rows = await db.any(sql.type(stateRow)`
    select effect, state from effects where job = ${job} and effect = any(${sql.array([...names], 'text')})`);
  return new Map(rows.map(({ effect, state }) => [effect, state]));
}

export interface Sent {
  /** The provider's own name for what was done. */
  readonly externalId: string | null;
  readonly outcome: unknown;
  /** Millionths of a dollar that it cost, where its maker says so. */
  readonly cost?: number | undefined;
}

export interface EffectOwner {
  readonly id: string;
  readonly attempt: number;
  /** Token of the claim, where the caller is a worker elsewhere, who has to show it. */
  readonly token?: string;
}

/** Knowledge of an effect before it is made. */
export type Intent = {
  /** The same at every attempt: a provider that takes keys knows the effect by it. */
  readonly key: string;
} & (
  | {
      /** Certainly not made yet. */
      readonly state: 'fresh';
      /** True where this attempt has intended it before: a message that came twice, or a second call after a failure. */
      readonly isRepeated: boolean;
    }
  /** Made, with its outcome. */
  | ({ readonly state: 'done' } & Sent)
  /** Intended by an earlier attempt, which has left no outcome. */
  | { readonly state: 'again' }
  /** Given up: a human finds out what became of it. */
  | { readonly state: 'unknown' }
);

const Effect = Type.Object({
  state: State,
  requestHash: Type.String(),
  externalId: Type.Union([Type.String(), Type.Null()]),
  outcome: Type.Unsafe<unknown>({}),
  intendedBy: Type.Union([Type.Integer(), Type.Null()]),
  fresh: Type.Boolean(),
});
type Effect = Static<typeof Effect>;
const effectRow = row(Effect);
const keptRow = row(
  Type.Object({
    state: State,
    externalId: Type.Union([Type.String(), Type.Null()]),
    outcome: Type.Unsafe<unknown>({}),
    same: Type.Boolean(),
  }),
);
const heldRow = row(Type.Object({ id: Type.String() }));
const claimRow = row(Type.Object({ id: Type.String(), jobUsd: Type.Union([Type.Number(), Type.Null()]) }));
const spentRow = row(Type.Object({ spent: Type.Number() }));

/**
 * Writes under the fence that a job means to make an effect, or finds what is known of it. The caller makes a
 * fresh one, and records its outcome by {@link decideEffect}.
 *
 * @param request JSON: an effect's name belongs to one request
 * @throws AppError `stale_claim` when another attempt holds the job, `state_conflict` when the same effect was intended
 *   with another request.
 */
export async function intendEffect(
  context: Context,
  job: EffectOwner,
  effect: string,
  request: unknown,
): Promise<Intent> {
  const hash = createHash('sha256')
    .update(JSON.stringify(request ?? null))
    .digest('hex');
  const { state, requestHash, externalId, outcome, intendedBy, fresh } = await intend(context, job, effect, hash);
  if (requestHash !== hash) {
    throw new AppError(
      'state_conflict',
      `The effect ${effect} was already meant with another request; an effect's name belongs to one request.`,
      { job: job.id, effect },
    );
  }
  const key = effectKey(job, effect);
  if (fresh) return { state: 'fresh', key, isRepeated: false };
  if (state === 'done') return { state, key, externalId, outcome };
  if (state === 'unknown') return { state, key };
  return intendedBy === job.attempt ? { state: 'fresh', key, isRepeated: true } : { state: 'again', key };
}

/** The key of an effect, the same at every attempt. */
export function effectKey({ id }: Pick<EffectOwner, 'id'>, effect: string): string {
  return `${id}.${effect}`;
}

/**
 * Checks that the job is still ours. A process that was stopped after it wrote its intent goes on here, before its
 * overdue beat can show it that others run the job: without this look it would send what they have sent.
 *
 * @param askedAt performance.now() before the intent was written
 */
export async function assertStillHeld({ db, config }: Context, job: EffectOwner, askedAt: number): Promise<void> {
  for (let at = askedAt; performance.now() - at > config.LEASE_MS / 2; ) {
    at = performance.now();
    const held = await db.maybeOne(sql.type(heldRow)`
      select id from jobs where id = ${job.id} and attempt = ${job.attempt} and state = 'running'`);
    if (!held) throw stale(job);
  }
}

function stale({ id, attempt }: EffectOwner): AppError {
  return new AppError('stale_claim', 'Another attempt holds this job, or it has ended; nothing was sent.', {
    job: id,
    attempt,
  });
}

/** Writes the intent under the fence; answers it, or the one that exists. */
async function intend({ db }: Context, job: EffectOwner, effect: string, hash: string): Promise<Effect> {
  const { id, attempt, token } = job;
  const columns = sql.fragment`
    state, encode(request_hash, 'hex') as "requestHash", external_id as "externalId", outcome, intended_by as "intendedBy"`;
  const isClaim = token === undefined ? sql.fragment`true` : sql.fragment`claim_token = ${token}`;
  return await db.transaction(async (transaction) => {
    // the lock keeps settle and cancel out until the intent is written; what follows sees the state when it was given
    const held = await transaction.maybeOne(sql.type(claimRow)`
      select id, (terms->'budget'->>'job_usd')::float8 as "jobUsd" from jobs
      where id = ${id} and attempt = ${attempt} and state = 'running' and ${isClaim} for update`);
    if (!held) throw stale(job);
    const mine = sql.fragment`array_remove(array[${token ?? null}::uuid], null)`;
    const fresh = await transaction.maybeOne(sql.type(effectRow)`
      insert into effects as e (job, effect, request_hash, state, attempt, intended_by, claim_tokens)
      values (${id}, ${effect}, decode(${hash}, 'hex'), 'intended', ${attempt}, ${attempt}, ${mine})
      on conflict (job, effect) do update
        set attempt = excluded.attempt, intended_by = excluded.intended_by, state = 'intended', intended_at = now(),
          claim_tokens = e.claim_tokens || excluded.claim_tokens
        where e.state = 'failed'
      returning ${columns}, true as fresh`);
    if (fresh) {
      if (held.jobUsd !== null) await assertMoneyLeft(transaction, job, held.jobUsd);
      return fresh;
    }
    return await transaction.one(sql.type(effectRow)`
      update effects set attempt = ${attempt},
        claim_tokens = case when claim_tokens @> ${mine} then claim_tokens else claim_tokens || ${mine} end
      where job = ${id} and effect = ${effect}
      returning ${columns}, false as fresh`);
  });
}

/** @throws AppError `budget_exceeded` where the effects of a job have cost what it may cost, which ends the intent */
async function assertMoneyLeft(tx: CommonQueryMethods, { id }: EffectOwner, jobUsd: number): Promise<void> {
  const spent = await tx.oneFirst(sql.type(spentRow)`
    select coalesce(sum(cost), 0)::float8 / 1e6 as spent from effects where job = ${id}`);
  if (spent < jobUsd) return;
  throw new AppError(
    'budget_exceeded',
    `expected the effects of this job to cost at most $${jobUsd} together, got $${spent} by now: no other is begun.`,
    { job: id, job_usd: jobUsd, spent_usd: spent },
  );
}

/**
 * Records an outcome, whatever the fence says by now: what happened outside has happened. Only a refusal counts for no
 * one but the attempt that met it: a later one may have sent meanwhile.
 *
 * @returns `sent` itself; to a worker elsewhere the outcome that stands, where another one was kept first
 */
export async function decideEffect(
  context: Context,
  { id, attempt, token }: EffectOwner,
  effect: string,
  state: 'done' | 'failed' | 'unknown',
  sent: Sent,
): Promise<Sent> {
  const { db, config } = context;
  for (const until = performance.now() + config.LEASE_MS * 4; ; await sleep(200)) {
    try {
      const decided = await db.query(sql.unsafe`
        update effects set state = ${state}, external_id = ${sent.externalId}, outcome = ${JSON.stringify(sent.outcome ?? null)}::jsonb,
          cost = ${sent.cost ?? null}, decided_at = now()
        where job = ${id} and effect = ${effect} and state <> 'done' and (attempt = ${attempt} or ${state} <> 'failed')
          and ${meantBy(token)}`);
      if (decided.rowCount > 0 || token === undefined) return sent;
      return (await otherOutcome(context, { id, token }, effect, state === 'done' ? sent : null)) ?? sent;
    } catch (error) {
      // an outcome that is not recorded becomes an unknown one
      if (!isConnectionLost(error) || performance.now() > until) throw error;
      void logFailure(
        context,
        error,
        { job: id, effect },
        'the outcome of an effect could not be recorded yet; repeating it',
      );
    }
  }
}

/** An outcome counts from a claim that has meant the effect, however long ago: no other knows what came of it. */
function meantBy(token: string | undefined) {
  return token === undefined
    ? sql.fragment`true`
    : sql.fragment`(claim_tokens = '{}' or claim_tokens @> array[${token}::uuid])`;
}

/**
 * Reads the outcome that an effect is done with, where it is another than this one; null where it is the same, or there is
 * none.
 *
 * @throws AppError `state_conflict` where the claim has never meant the effect: an outcome of nothing is kept nowhere
 */
async function otherOutcome(
  { db }: Context,
  { id, token }: Required<Pick<EffectOwner, 'id' | 'token'>>,
  effect: string,
  sent: Sent | null,
): Promise<Sent | null> {
  const kept = await db.maybeOne(sql.type(keptRow)`
    select state, external_id as "externalId", outcome, outcome is not distinct from ${JSON.stringify(sent?.outcome ?? null)}::jsonb as same
    from effects where job = ${id} and effect = ${effect} and ${meantBy(token)}`);
  if (!kept)
    throw new AppError(
      'state_conflict',
      `expected an effect that this attempt has intended, got ${effect}, which it has not: report effect_intended first.`,
      { job: id, effect },
    );
  const { state, externalId, outcome, same } = kept;
  const isOther = !(same && externalId === sent?.externalId);
  return state === 'done' && isOther ? { externalId, outcome } : null;
}
