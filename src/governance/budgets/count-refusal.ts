import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { noteFullBudget } from './budget-notices.ts';

/** Kinds of budgets: how their ids begin. */
export const budgetKinds = ['owner', 'key', 'mission', 'job'] as const;

/**
 * Counts a refusal of a budget by the budget's kind, notes it for the budget's owner, and passes over any other error.
 * Answers the error, to be thrown.
 */
export function countRefusal(context: Context, error: unknown): unknown {
  if (!(error instanceof AppError && error.code === 'budget_exceeded')) return error;
  const { budget } = error.details;
  const kind = budgetKinds.find((one) => typeof budget === 'string' && budget.startsWith(`${one}:`)) ?? 'other';
  context.metrics.proofline_budget_refusals_total.inc({ kind });
  if (typeof budget === 'string')
    noteFullBudget(context, budget).catch(
      async (cause: unknown) =>
        await logFailure(context, cause, { budget }, 'the notice of a full budget was not written'),
    );
  return error;
}
