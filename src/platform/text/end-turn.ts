import { settle } from '#src/governance/budgets/budgets.ts';
import { endPaid } from '#src/governance/budgets/end-paid-job.ts';
import { decideEffect, type EffectOwner } from '#src/jobs/effects/intents.ts';
import type { AttemptWorker } from '#src/jobs/run/run-attempt.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';

/** A call that went well and whose outcome and cost are not written yet. */
export interface OpenEnd {
  readonly effect: string;
  readonly outcome: unknown;
  readonly provider: string;
  /** Millionths of a dollar, no more than it was quoted at. */
  readonly cost: number;
}

/** The end of a turn in this process: what its last call leaves open is written with the end of its job. */
export interface TurnEnd {
  open: OpenEnd | null;
}

/** Settles the job of a turn together with the call that is left open: one commit for both. */
export function settleTurn(
  context: Context,
  job: EffectOwner,
  end: TurnEnd,
  settleJob: AttemptWorker['settle'],
): AttemptWorker['settle'] {
  return async (settlement) => {
    const { open } = end;
    if (open === null) return await settleJob(settlement);
    const { id, attempt, token, state, result } = settlement;
    if (state !== 'succeeded') {
      await closeOpen(context, job, end);
      return await settleJob(settlement);
    }
    const { effect, outcome, provider, cost } = open;
    const texts = { result: JSON.stringify(result), outcome: JSON.stringify(outcome) };
    const settled = await endPaid(context)({ job: id, attempt, token, ...texts, effect, provider, cost });
    end.open = null;
    return settled ?? (await settleJob(settlement));
  };
}

/** Writes the outcome and the cost of a call by themselves, where the job does not end with them. Never throws. */
export async function closeOpen(context: Context, job: EffectOwner, end: TurnEnd): Promise<void> {
  const { open } = end;
  if (open === null) return;
  end.open = null;
  const { effect, outcome, provider, cost } = open;
  try {
    await decideEffect(context, job, effect, 'done', { externalId: null, outcome });
    await settle(context, { job: job.id, provider }, { cost, externalId: null });
  } catch (error) {
    void logFailure(
      context,
      error,
      { job: job.id, provider },
      'the outcome of a call was not written; it stays reserved until that is decided',
    );
  }
}
