import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/** Kinds of budgets: how their ids begin. */
export const budgetKinds = ['owner', 'key', 'mission', 'job'] as const;

/**
 * Counts a refusal of a budget by the budget's kind, and passes over any other error. Answers the error, to be thrown.
 */
export function countRefusal({ metrics }: Pick<Context, 'metrics'>, error: unknown): unknown {
  if (!(error instanceof AppError && error.code === 'budget_exceeded')) return error;
  const { budget } = error.details;
  const kind = budgetKinds.find((one) => typeof budget === 'string' && budget.startsWith(`${one}:`)) ?? 'other';
  metrics.proofline_budget_refusals_total.inc({ kind });
  return error;
}
