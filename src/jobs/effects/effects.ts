import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { assertStillHeld, decideEffect, type EffectOwner, effectKey, intendEffect, type Sent } from './intents.ts';

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
  const name = effectKey(job, effect);
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
  const askedAt = performance.now();
  const intent = await intendEffect(context, job, effect, request);
  if (intent.state === 'done') return { externalId: intent.externalId, outcome: intent.outcome };
  const isFresh = intent.state === 'fresh' && !intent.isRepeated;
  if (intent.state === 'unknown' || (!isFresh && adapter.kind === 'neither')) {
    await markEffectUnknown(context, job, effect);
    throw new AppError(
      'outcome_unknown',
      `Whether ${effect} happened is not known and its provider cannot be asked; it was not sent again. Look there, then redrive the job.`,
      { job: job.id, effect },
    );
  }
  if (!isFresh && adapter.kind === 'queryable') {
    const found = await look(adapter, intent.key, signal).catch(async (error: unknown) => {
      // a human decides then, as where the provider cannot be queried
      if (error instanceof AppError && error.code === 'outcome_unknown') await markEffectUnknown(context, job, effect);
      throw error;
    });
    if (found) return await decideEffect(context, job, effect, 'done', found);
  }
  return await sendIntended(context, job, effect, askedAt, () => adapter.send(request, intent.key, signal));
}

/**
 * Makes an effect whose intent was written just now, and records what came of it.
 *
 * @param askedAt performance.now() before the intent was written
 * @param keep records a success; at once unless it is given
 * @throws AppError `stale_claim`; what `send` throws
 */
export async function sendIntended(
  context: Context,
  job: EffectOwner,
  effect: string,
  askedAt: number,
  send: () => Promise<Sent>,
  keep = async (sent: Sent): Promise<Sent> => await decideEffect(context, job, effect, 'done', sent),
): Promise<Sent> {
  await assertStillHeld(context, job, askedAt);
  try {
    return await keep(await send());
  } catch (error) {
    if (error instanceof EffectRefused)
      await decideEffect(context, job, effect, 'failed', {
        externalId: null,
        outcome: { code: error.code, message: error.message },
      });
    throw error;
  }
}

/** Gives up an intent whose outcome cannot be found out: it is not sent again unless a human says so. */
export async function markEffectUnknown(context: Context, job: EffectOwner, effect: string): Promise<void> {
  await decideEffect(context, job, effect, 'unknown', { externalId: null, outcome: null });
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
