import { markUnknown, release } from '#src/governance/budgets/budgets.ts';
import type { CallName, CallRow } from '#src/governance/budgets/call-row.ts';
import { effectStates } from '#src/jobs/effects/intents.ts';
import { moneyAfter } from '#src/providers/calls/call-ends.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Does with the money of a call that ended badly what the table of {@link moneyAfter} says: gives it back, or holds
 * what may be owed as unknown.
 *
 * @param most millionths of a dollar that the call can have cost, where that is less than its quote
 * @param mayBeEarlier whether an earlier try of the same call may have been made, so that this one's end proves nothing
 */
export async function leaveCall(
  context: Context,
  name: CallName,
  error: Error,
  { most, mayBeEarlier = false }: { readonly most?: number; readonly mayBeEarlier?: boolean } = {},
): Promise<void> {
  if (moneyAfter(error) === 'released' && !mayBeEarlier) await release(context, name, error.message);
  else await markUnknown(context, name, error.message, most);
}

/**
 * Why a call that was left in the open is not made again: its provider could be paid twice. What became of its money,
 * decided or not, changes nothing about that. Null where it may be made.
 *
 * @param effect name of the effect by which it is made
 */
export async function whyNotAgain(
  context: Context,
  job: string,
  call: CallRow | undefined,
  effect: string,
): Promise<string | null> {
  if (call === undefined || (call.state !== 'unknown' && call.decidedBy === null)) return null;
  const states = await effectStates(context, job, [effect]);
  return states.get(effect) === 'intended' ? (call.reason ?? 'what came of it is not known') : null;
}
