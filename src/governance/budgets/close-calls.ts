import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { makingEffects, payingEffects } from '#src/providers/calls/paying-effects.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { isConnectionLost, isDataError, sqlState } from '#src/system/postgres/postgres-errors.ts';
import { markUnknown, release, settle } from './budgets.ts';

const LOOK_MS = 15_000;
/** The process of a job that was cancelled has so long to decide by itself. */
const GRACE_MS = 60_000;
const PAGE = 500;

const Left = Type.Object({
  job: Type.String(),
  provider: Type.String(),
  quoted: Type.Integer(),
  isOver: Type.Boolean(),
  /** Time of its first reservation, to the microsecond: the next page begins there. */
  since: Type.String(),
});
type Left = Type.Static<typeof Left>;
const Effect = Type.Object({
  effect: Type.String(),
  state: Type.String(),
  billed: Type.Unsafe<unknown>({}),
});

/**
 * Decides calls whose job has ended while they were reserved: it was cancelled when its process was dead, or failed for
 * good in between. What is known to be made is settled, what was never sent is released, and what may have happened
 * stays reserved as unknown; so does the call of a job that failed, which a human may redrive at this very moment. Goes
 * through all of them, oldest first, whatever becomes of each. Answers how many were decided.
 *
 * @throws what Postgres fails with while it is away
 */
export async function closeCalls(context: Context, graceMs = GRACE_MS, page = PAGE): Promise<number> {
  let decided = 0;
  let after: Pick<Left, 'since' | 'job' | 'provider'> = { since: '-infinity', job: '', provider: '' };
  for (;;) {
    const left = await context.db.any(sql.type(row(Left))`
      select c.job, c.provider, c.quoted, coalesce(j.state = 'cancelled', false) as "isOver", c.created_at::text as since
      from provider_calls c left join jobs j on j.id = c.job
      where c.state = 'reserved' and (j.id is null or j.finished_at < now() - ${graceMs} * interval '1 ms')
        and (c.created_at, c.job::text, c.provider) > (${after.since}::timestamptz, ${after.job}, ${after.provider})
      order by c.created_at, c.job::text, c.provider limit ${page}`);
    for (const call of left) {
      // one that cannot be decided holds up no other
      const isDecided = await close(context, call).then(
        () => true,
        async (error: unknown) => await leave(context, call, error),
      );
      if (isDecided) decided++;
    }
    const last = left.at(-1);
    if (!last || left.length < page) return decided;
    after = last;
  }
}

async function close(context: Context, { isOver, quoted, job, provider }: Left): Promise<void> {
  const name = { job, provider };
  const making = makingEffects(name.provider);
  const effects = await context.db.any(sql.type(row(Effect))`
    select effect, state, outcome->'billed' as billed from effects
    where job = ${name.job} and effect = any(${sql.array([...payingEffects(name.provider), ...making], 'text')})`);
  const made = effects.find(({ effect, state }) => state === 'done' && making.includes(effect));
  if (made) {
    await settle(context, name, { cost: costOf(made, quoted), externalId: null });
  } else if (isOver && effects.every(({ state }) => state === 'failed')) {
    await release(context, name, 'the job ended before it was made');
  } else {
    await markUnknown(context, name, 'the job ended while it was under way');
  }
}

/** Returns the billed cost, or the quote where none was billed. @throws Error for what is no amount of money */
function costOf({ effect, billed }: Type.Static<typeof Effect>, quoted: number): number {
  if (billed === null || billed === undefined) return quoted;
  if (typeof billed === 'number' && Number.isSafeInteger(billed) && billed >= 0) return billed;
  throw new Error(`${effect}: expected what it cost in millionths of a dollar, got ${JSON.stringify(billed)}`);
}

/**
 * Leaves a call that could not be closed. One that cannot be decided stays reserved as unknown, for a human; one that
 * only failed to be written comes again. Answers true for the first kind.
 */
async function leave(context: Context, { job, provider }: Left, error: unknown): Promise<boolean> {
  if (isConnectionLost(error)) throw error;
  const failed = async (reason: unknown) => {
    await logFailure(context, reason, { job, provider }, 'a call of a job that ended could not be closed', 'error');
    return false;
  };
  await failed(error);
  // other answers of Postgres say nothing of the call
  const isOfCall = sqlState(error) === undefined || isDataError(error);
  if (!isOfCall) return false;
  return await markUnknown(context, { job, provider }, 'the job ended, and the cost of its call is not known').then(
    () => true,
    async (again: unknown) => {
      if (isConnectionLost(again)) throw again;
      return await failed(again);
    },
  );
}

/** Closes such calls now and again, in every process that serves: doing it twice changes nothing. */
export function startClosingCalls(context: Context): AsyncDisposable {
  const stop = new AbortController();
  const running = (async () => {
    while (!stop.signal.aborted) {
      await closeCalls(context).catch(
        async (error: unknown) =>
          await logFailure(context, error, {}, 'calls of jobs that ended could not be closed; it comes again'),
      );
      await sleep(LOOK_MS, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  const dispose = async () => {
    stop.abort();
    await running;
  };
  context.onClose(dispose);
  return { [Symbol.asyncDispose]: dispose };
}
