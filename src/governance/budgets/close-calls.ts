import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { makingEffects, payingEffects } from '#src/providers/calls/paying-effects.ts';
import type { Context } from '#src/system/context.ts';
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
});
const Effect = Type.Object({
  effect: Type.String(),
  state: Type.String(),
  billed: Type.Unsafe<unknown>({}),
});

/**
 * Decides calls whose job has ended while they stood reserved: it was cancelled when its process was dead, or failed for
 * good in between. What is known to be made is settled, what was never sent is released, and what may have happened stays
 * reserved as unknown; so does the call of a job that failed, which a human may redrive at this very moment. Answers how
 * many.
 */
export async function closeCalls(context: Context, graceMs = GRACE_MS): Promise<number> {
  const left = await context.db.any(sql.type(row(Left))`
    select c.job, c.provider, c.quoted, coalesce(j.state = 'cancelled', false) as "isOver"
    from provider_calls c left join jobs j on j.id = c.job
    where c.state = 'reserved' and (j.id is null or j.finished_at < now() - ${graceMs} * interval '1 ms')
    order by c.created_at limit ${PAGE}`);
  for (const call of left) {
    // one that cannot be decided holds up nobody else's
    await close(context, call).catch(async (error: unknown) => await leave(context, call, error));
  }
  return left.length;
}

async function close(context: Context, { isOver, quoted, ...name }: Type.Static<typeof Left>): Promise<void> {
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

/** What was billed, or what was quoted where nobody has said. @throws Error for what is no amount of money */
function costOf({ effect, billed }: Type.Static<typeof Effect>, quoted: number): number {
  if (billed === null || billed === undefined) return quoted;
  if (typeof billed === 'number' && Number.isSafeInteger(billed) && billed >= 0) return billed;
  throw new Error(`${effect}: expected what it cost in millionths of a dollar, got ${JSON.stringify(billed)}`);
}

/** What cannot be decided stays reserved as unknown, for a human; what only failed to be written comes again. */
async function leave(context: Context, { job, provider }: Type.Static<typeof Left>, error: unknown): Promise<void> {
  if (isConnectionLost(error)) throw error;
  context.log.error({ err: error, job, provider }, 'a call of a job that ended could not be closed');
  // other answers of Postgres say nothing of the call
  const isOfCall = sqlState(error) === undefined || isDataError(error);
  if (isOfCall) await markUnknown(context, { job, provider }, 'the job ended, and what its call cost cannot be told');
}

/** Closes such calls now and again, in every process that serves: doing it twice changes nothing. */
export function startClosingCalls(context: Context): AsyncDisposable {
  const stop = new AbortController();
  const running = (async () => {
    while (!stop.signal.aborted) {
      await closeCalls(context).catch((error: unknown) =>
        context.log.warn({ err: error }, 'calls of jobs that ended could not be closed; it comes again'),
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
