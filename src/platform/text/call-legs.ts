import type { TextResult } from '#queues/platform.ts';
import { closeCall, type NotCalled, type OpenCall } from '#src/governance/calls/paying-call.ts';
import type { Claimed } from '#src/jobs/run/claim-jobs.ts';
import { AppError } from '#src/lib/errors.ts';
import { type Beginning, beginTurn } from './begin-turn.ts';
import { callLeg, openLeg, type Turn } from './call-text.ts';
import { exhausted, type SkippedProvider, type TextLeg } from './route-text.ts';

/** A turn whose job is made, with its first call open. */
interface BegunTurn {
  readonly claimed: Claimed;
  readonly first: { readonly leg: TextLeg; readonly open: OpenCall; readonly intendedAt: number };
  readonly rest: readonly TextLeg[];
  readonly tried: Tried;
}

/**
 * Makes the job of a turn with the first leg that can be called and paid.
 *
 * @throws Taken; AppError `providers_exhausted`, `budget_exceeded`, `unavailable`; the signal's reason
 */
export async function beginFirst(beginning: Beginning, turn: Turn, legs: readonly TextLeg[]): Promise<BegunTurn> {
  const tried: Tried = { skipped: [], unpaid: [] };
  for (const [index, leg] of legs.entries()) {
    turn.signal.throwIfAborted();
    const open = await openLeg(turn, leg);
    if ('reason' in open) {
      note(tried, leg, open);
      continue;
    }
    const intendedAt = performance.now();
    try {
      const claimed = await beginTurn(beginning, turn, leg);
      return { claimed, first: { leg, open, intendedAt }, rest: legs.slice(index + 1), tried };
    } catch (error) {
      await closeCall(open, 'cancelled');
      if (!(error instanceof AppError && error.code === 'budget_exceeded')) throw error;
      note(tried, leg, { reason: error.message, unpaid: error });
    }
  }
  throw whyNone(tried);
}

/**
 * Runs the turn of a job that has begun: its first call, and the legs after it where that one fails.
 *
 * @param onLeg called with each leg after the first that is tried
 */
export async function callRest(
  turn: Turn,
  { first: { leg, open, intendedAt }, rest, tried }: BegunTurn,
  onLeg: (leg: TextLeg) => void,
): Promise<TextResult> {
  const called = await callLeg(turn, leg, open, intendedAt);
  if ('value' in called) return called.value;
  note(tried, leg, called);
  return await callInTurn(turn, rest, tried, onLeg);
}

/** Legs that were skipped or failed, and the refusals of budgets among them. */
interface Tried {
  readonly skipped: SkippedProvider[];
  readonly unpaid: AppError[];
}

function note({ skipped, unpaid }: Tried, { provider }: TextLeg, { reason, waitMs, unpaid: refusal }: NotCalled): void {
  skipped.push({ provider: provider.id, reason, ...(waitMs !== undefined && { waitMs }) });
  if (refusal) unpaid.push(refusal);
}

/** The first leg is the best: where the budgets can pay none, what it lacks is what to allow. */
function whyNone({ skipped, unpaid: [first, ...more] }: Tried): AppError {
  return first && 1 + more.length === skipped.length ? first : exhausted(skipped);
}

/**
 * Runs the legs of a turn, in their order, until one answers.
 *
 * @param onLeg called with each leg that is tried
 * @throws AppError `providers_exhausted` where every leg failed, `budget_exceeded` where the budgets can pay none of
 *   them; the turn's own error after it had begun
 */
export async function callInTurn(
  turn: Turn,
  legs: readonly TextLeg[],
  tried: Tried = { skipped: [], unpaid: [] },
  onLeg: (leg: TextLeg) => void = () => {},
): Promise<TextResult> {
  for (const leg of legs) {
    turn.signal.throwIfAborted();
    onLeg(leg);
    const open = await openLeg(turn, leg);
    const called = 'reason' in open ? open : await callLeg(turn, leg, open, null);
    if ('value' in called) return called.value;
    note(tried, leg, called);
  }
  throw whyNone(tried);
}
