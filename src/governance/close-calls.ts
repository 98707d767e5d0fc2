import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { makingEffects, payingEffects } from '#src/providers/paying-effects.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
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
  billed: Type.Union([Type.Integer(), Type.Null()]),
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
  for (const call of left) await close(context, call);
  return left.length;
}

async function close(context: Context, { isOver, quoted, ...name }: Type.Static<typeof Left>): Promise<void> {
  const making = makingEffects(name.provider);
  const effects = await context.db.any(sql.type(row(Effect))`
    select effect, state, (outcome->>'billed')::bigint as billed from effects
    where job = ${name.job} and effect = any(${sql.array([...payingEffects(name.provider), ...making], 'text')})`);
  const made = effects.find(({ effect, state }) => state === 'done' && making.includes(effect));
  if (made) {
    await settle(context, name, { cost: made.billed ?? quoted, externalId: null });
  } else if (isOver && effects.every(({ state }) => state === 'failed')) {
    await release(context, name, 'the job ended before it was made');
  } else {
    await markUnknown(context, name, 'the job ended while it was under way');
  }
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
