import { sql } from 'slonik';
import Type from 'typebox';
import type { TextResult } from '#queues/platform.ts';
import { markUnknown, readCalls, settle } from '#src/governance/budgets/budgets.ts';
import { lostAnswer } from '#src/governance/calls/paying-call.ts';
import { markEffectUnknown } from '#src/jobs/effects/effects.ts';
import type { EffectOwner } from '#src/jobs/effects/intents.ts';
import { AppError } from '#src/lib/errors.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { madeOf } from './call-text.ts';

const Effect = Type.Object({ state: Type.String(), outcome: Type.Unsafe<unknown>({}) });

/**
 * Reads the result of a job's earlier attempt; null where it got none and left nothing open.
 *
 * @throws AppError `outcome_unknown` where it was in the middle of a call, or that call's own error where it is known
 */
export async function resumeText(context: Context, job: EffectOwner): Promise<TextResult | null> {
  if (job.attempt === 1) return null;
  for (const { provider, quoted, state } of await readCalls(context, job.id)) {
    const effect = effectNames.exchange(provider);
    const known = await context.db.maybeOne(sql.type(row(Effect))`
      select state, outcome from effects where job = ${job.id} and effect = ${effect}`);
    const name = { job: job.id, provider };
    // a provider that broke off has taken the call: it is not called again, and another may be
    const isLeft = known?.state === 'intended' && state === 'reserved';
    // found by an attempt that was lost itself, before its job had ended with that
    const isFound = known?.state === 'unknown' && (state === 'reserved' || state === 'unknown');
    if (isLeft || isFound) {
      await markEffectUnknown(context, job, effect);
      await markUnknown(context, name, 'its process ended in the middle of the call');
      throw new AppError(
        'outcome_unknown',
        `Whether ${provider} wrote the turn is not known, and cannot be looked up; it was not sent again. Look there, then redrive the job.`,
        { job: job.id, effect },
      );
    }
    if (known?.state !== 'done') continue;
    const { value, cost, lost } = madeOf(known.outcome, provider);
    await settle(context, name, { cost: cost ?? quoted, externalId: null });
    if (value !== null) return value;
    if (lost) throw lostAnswer(lost, provider, cost ?? quoted);
  }
  return null;
}
