import type { generate } from '#queues/providers.ts';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import type { CallRow } from '#src/governance/budgets/call-row.ts';
import { effectStates } from '#src/jobs/effects/intents.ts';
import { AppError } from '#src/lib/errors.ts';
import { payingEffects } from '#src/providers/calls/paying-effects.ts';
import type { Context } from '#src/system/context.ts';
import type { Processor } from '#workers/run/processor.ts';
import { callProvider } from './call-provider.ts';
import { inputIds, inputsOf } from './inputs-of.ts';
import type { Parts } from './parts.ts';

/**
 * Asks the providers of a route in turn until one has made what is wanted. Calls that an earlier attempt of the job
 * left under way come first: what may have been paid already is not paid to another.
 *
 * @throws AppError `budget_exceeded` where the budgets can pay none of them, or a bill breaks one; `provider_refused`
 *   at once, `outcome_unknown` where a call may have happened and that is not known, `providers_exhausted` with the
 *   reasons when no provider is left.
 */
export function generateWith(parts: Parts): Processor<typeof generate> {
  return async (run) => {
    const { context, job, payload, signal } = run;
    const { route, request } = payload;
    const inputs = await inputsOf(context, job.owner, inputIds(request));
    const calls = new Map((await readCalls(context, job.id)).map((call) => [call.provider, call]));
    const begun = await begunCalls(context, job.id, calls);
    const tried: { provider: string; reason: string }[] = [];
    const unpaid: AppError[] = [];
    for (const leg of route.toSorted((a, b) => Number(begun.has(b.provider)) - Number(begun.has(a.provider)))) {
      signal.throwIfAborted();
      const called = await callProvider({ parts, run, inputs }, leg, calls.get(leg.provider));
      if ('reason' in called) {
        tried.push({ provider: leg.provider, reason: called.reason });
        if (called.unpaid) unpaid.push(called.unpaid);
        continue;
      }
      const { assets, text, notes } = called.value;
      const costs = (await readCalls(context, job.id)).map(({ cost }) => cost ?? 0);
      const cost = costs.reduce((sum, one) => sum + one, 0);
      return {
        provider: leg.provider,
        assets,
        cost,
        tried,
        ...(text !== undefined && { text }),
        ...(notes && { notes }),
      };
    }
    // the first one is the best: what it lacks is what to allow
    if (unpaid[0] && unpaid.length === tried.length) throw unpaid[0];
    throw new AppError(
      'providers_exhausted',
      `expected one of ${route.length} providers to make it, got none: ${tried.map(({ provider, reason }) => `${provider} (${reason.replace(/\.$/, '')})`).join(', ')}.`,
      { tried },
    );
  };
}

/**
 * Providers whose calls an earlier attempt has begun and this one goes on with: it died in them, they were paid, or it
 * is known since what came of them (a human has said so, or a task has a name).
 */
async function begunCalls(
  context: Context,
  job: string,
  calls: ReadonlyMap<string, CallRow>,
): Promise<ReadonlySet<string>> {
  const states = await effectStates(context, job, [...calls.keys()].flatMap(payingEffects));
  const isOpen = (provider: string) => payingEffects(provider).some((effect) => states.get(effect) === 'intended');
  const isBegun = ({ provider, state }: CallRow) => state !== 'released' && !(state === 'unknown' && isOpen(provider));
  return new Set([...calls.values()].filter(isBegun).map(({ provider }) => provider));
}
