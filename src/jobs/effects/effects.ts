import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
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
}

interface Sends<R> {
  /**
   * Does it. `key` is the same at every try of this effect. Throw {@link EffectRefused} where the provider certainly
   * did not.
   */
  readonly send: (request: R, key: string, signal: AbortSignal) => Promise<Sent>;
}

/** Way to repeat an effect outside after a crash left its outcome unknown. */
export type EffectAdapter<R> =
  /** The provider takes our key and does the same thing once. */
  | ({ readonly kind: 'idempotent' } & Sends<R>)
  /** The provider can be queried by our key, once its visibility delay has passed. */
  | ({
      readonly kind: 'queryable';
      readonly visibilityDelayMs: number;
      readonly find: (key: string, signal: AbortSignal) => Promise<Sent | null>;
    } & Sends<R>)
  /** Neither: at most once, and a human decides after a crash. */
  | ({ readonly kind: 'neither' } & Sends<R>);

/** The provider answered that it did nothing: the effect may be tried again. */
export class EffectRefused extends AppError {}

const Effect = Type.Object({
  state: Type.Unsafe<'intended' | 'done' | 'failed' | 'unknown'>({ enum: ['intended', 'done', 'failed', 'unknown'] }),
  requestHash: Type.String(),
  externalId: Type.Union([Type.String(), Type.Null()]),
  outcome: Type.Unsafe<unknown>({}),
  fresh: Type.Boolean(),
});
type Effect = Static<typeof Effect>;
const effectRow = row(Effect);
const heldRow = row(Type.Object({ id: Type.String() }));

export interface EffectOwner {
  readonly id: string;
  readonly attempt: number;
}

/**
 * Makes one effect outside, once: intent, call, outcome, keyed by job and `effect`, never by attempt.
 *
 * @throws AppError `stale_claim` when another attempt holds the job, `outcome_unknown` when it may have happened and
 *   that cannot be found out, `state_conflict` when the same effect was intended with another request; or what the
 *   provider threw.
 */
export async function runEffect<R>(
  context: Context,
  job: EffectOwner,
  effect: string,
  request: R,
  adapter: EffectAdapter<R>,
  signal: AbortSignal,
): Promise<Sent> {
  const name = `${job.id}.${effect}`;
  const mine = underWay(context);
  if (mine.has(name)) {
    throw new AppError(
      'state_conflict',
      `The effect ${effect} is already under way; wait for it, or give the second one a name of its own.`,
      { job: job.id, effect },
    );
  }
  mine.add(name);
  try {
    return await makeEffect(context, job, effect, request, adapter, signal);
  } finally {
    mine.delete(name);
  }
}

/** Effects that this process is making: a second call beside the first would take its intent for one of a crash. */
const underWay = perContext(() => new Set<string>());

async function makeEffect<R>(
  context: Context,
  job: EffectOwner,
  effect: string,
  request: R,
  adapter: EffectAdapter<R>,
  signal: AbortSignal,
): Promise<Sent> {
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const key = `${job.id}.${effect}`;
  const askedAt = performance.now();
  const intent = await intend(context, job, effect, hash);
  if (intent.requestHash !== hash) {
    throw new AppError(
      'state_conflict',
      `The effect ${effect} was already meant with another request; an effect's name belongs to one request.`,
      { job: job.id, effect },
    );
  }
  if (intent.state === 'done') return { externalId: intent.externalId, outcome: intent.outcome };
  if (intent.state === 'unknown' || (!intent.fresh && adapter.kind === 'neither')) {
    await markEffectUnknown(context, job, effect);
    throw new AppError(
      'outcome_unknown',
      `Whether ${effect} happened is not known and its provider cannot be asked; it was not sent again. Look there, then redrive the job.`,
      { job: job.id, effect },
    );
  }
  if (!intent.fresh && adapter.kind === 'queryable') {
    const found = await look(adapter, key, signal).catch(async (error: unknown) => {
      // a human decides then, as where the provider cannot be queried
      if (error instanceof AppError && error.code === 'outcome_unknown') await markEffectUnknown(context, job, effect);
      throw error;
    });
    if (found) return await decide(context, job, effect, 'done', found);
  }
  return await sendIntended(context, job, effect, askedAt, () => adapter.send(request, key, signal));
}

/**
 * Makes an effect whose intent was written just now, and records what came of it.
 *
 * @param askedAt performance.now() before the intent was written
 * @throws AppError `stale_claim`; what `send` throws
 */
export async function sendIntended(
  context: Context,
  job: EffectOwner,
  effect: string,
  askedAt: number,
  send: () => Promise<Sent>,
): Promise<Sent> {
  await assertStillHeld(context, job, askedAt);
  try {
    return await decide(context, job, effect, 'done', await send());
  } catch (error) {
    if (error instanceof EffectRefused)
      await decide(context, job, effect, 'failed', {
        externalId: null,
        outcome: { code: error.code, message: error.message },
      });
    throw error;
  }
}

/** Gives up an intent whose outcome cannot be found out: it is not sent again unless a human says so. */
export async function markEffectUnknown(context: Context, job: EffectOwner, effect: string): Promise<void> {
  await decide(context, job, effect, 'unknown', { externalId: null, outcome: null });
}

/** Asks the provider whether it has done what an earlier attempt meant. */
async function look<R>(
  { find, visibilityDelayMs }: Extract<EffectAdapter<R>, { kind: 'queryable' }>,
  key: string,
  signal: AbortSignal,
): Promise<Sent | null> {
  const found = await find(key, signal);
  if (found) return found;
  // counted from now, not from the intent: the call may have left long after it, until its attempt lost the job
  await sleep(visibilityDelayMs, undefined, { signal });
  return await find(key, signal);
}

/**
 * Checks that the job is still ours. A process that was stopped after it wrote its intent goes on here, before its
 * overdue beat can show it that others run the job: without this look it would send what they have sent.
 */
async function assertStillHeld({ db, config }: Context, job: EffectOwner, askedAt: number): Promise<void> {
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
async function intend({ db }: Context, { id, attempt }: EffectOwner, effect: string, hash: string): Promise<Effect> {
  const columns = sql.fragment`state, encode(request_hash, 'hex') as "requestHash", external_id as "externalId", outcome`;
  return await db.transaction(async (transaction) => {
    // the lock keeps settle and cancel out until the intent is written; what follows sees the state when it was given
    const held = await transaction.maybeOne(sql.type(heldRow)`
      select id from jobs where id = ${id} and attempt = ${attempt} and state = 'running' for update`);
    if (!held) throw stale({ id, attempt });
    const fresh = await transaction.maybeOne(sql.type(effectRow)`
      insert into effects as e (job, effect, request_hash, state, attempt)
      values (${id}, ${effect}, decode(${hash}, 'hex'), 'intended', ${attempt})
      on conflict (job, effect) do update set attempt = excluded.attempt, state = 'intended', intended_at = now()
        where e.state = 'failed'
      returning ${columns}, true as fresh`);
    if (fresh) return fresh;
    return await transaction.one(sql.type(effectRow)`
      update effects set attempt = ${attempt} where job = ${id} and effect = ${effect}
      returning ${columns}, false as fresh`);
  });
}

/**
 * Records an outcome, whatever the fence says by now: what happened outside has happened. Only a refusal counts for no
 * one but the attempt that met it: a later one may have sent meanwhile.
 */
async function decide(
  context: Context,
  { id, attempt }: EffectOwner,
  effect: string,
  state: 'done' | 'failed' | 'unknown',
  sent: Sent,
): Promise<Sent> {
  const { db, config } = context;
  for (const until = performance.now() + config.LEASE_MS * 4; ; await sleep(200)) {
    try {
      await db.query(sql.unsafe`
        update effects set state = ${state}, external_id = ${sent.externalId}, outcome = ${JSON.stringify(sent.outcome ?? null)}::jsonb, decided_at = now()
        where job = ${id} and effect = ${effect} and state <> 'done' and (attempt = ${attempt} or ${state} <> 'failed')`);
      return sent;
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
