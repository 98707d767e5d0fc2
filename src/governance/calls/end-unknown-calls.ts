import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import Type from 'typebox';
import type { CallRow } from '#src/governance/budgets/call-row.ts';
import { counted } from '#src/lib/text/counted.ts';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { decideCall, theRule } from './decide-call.ts';

const LOOK_MS = 30_000;
const PAGE = 200;

const Old = row(
  Type.Object({
    job: Type.String(),
    provider: Type.String(),
    held: Type.Integer(),
    endedAt: Type.Unsafe<Date>({}),
  }),
);

/**
 * Ends the holds of calls that have been unknown for UNKNOWN_CALL_HOURS, as UNKNOWN_CALL_END says: written off, or
 * billed at what is held. Each is a transaction of its own, so a process that dies in between leaves the rest for the
 * next look. Answers how many it ended.
 */
export async function endUnknownCalls(
  context: Context,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { UNKNOWN_CALL_HOURS: hours, UNKNOWN_CALL_END: end } = context.config;
  const decider = { by: theRule, why: `its outcome was not known after ${counted(hours, 'hour')}` };
  const passed: string[] = [];
  for (let ended = 0; ; ) {
    const old = await context.db.any(sql.type(Old)`
      select job, provider, coalesce(held, quoted) as held, ended_at as "endedAt" from provider_calls
      where state = 'unknown' and ended_at < now() - ${hours} * interval '1 hour'
        and job || ' ' || provider <> all(${sql.array(passed, 'text')})
      order by ended_at, job, provider limit ${PAGE}`);
    if (old.length === 0) return ended;
    for (const { held, endedAt, ...name } of old) {
      if (signal.aborted) return ended;
      const decision = end === 'billed' ? ({ end, cost: held } as const) : ({ end } as const);
      // a job may have gone on with it meanwhile
      const isStill = (call: CallRow) => call.state === 'unknown' && call.endedAt?.getTime() === endedAt.getTime();
      try {
        const now = await decideCall(context, name, decision, decider, isStill);
        if (now.decidedBy !== null) ended++;
        else passed.push(`${name.job} ${name.provider}`);
      } catch (error) {
        // the others need not wait for it
        passed.push(`${name.job} ${name.provider}`);
        await logFailure(
          context,
          error,
          name,
          'the hold of an unknown call could not be ended; it comes again',
          'error',
        );
      }
    }
  }
}

/** Does so now and again, in one process at a time. */
export function startEndingUnknownCalls(context: Context): AsyncDisposable {
  return leadByLock(context, 'unknown-calls', async (signal) => {
    while (!signal.aborted) {
      await endUnknownCalls(context, signal).catch(
        async (error: unknown) =>
          await logFailure(context, error, {}, 'holds of unknown calls could not be ended; it comes again'),
      );
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  });
}
