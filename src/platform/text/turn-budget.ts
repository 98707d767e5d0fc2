import { openBudget } from '#src/governance/budgets/budgets.ts';
import type { Context } from '#src/system/context.ts';
import type { TextWork } from './text-work.ts';

/**
 * Opens the budget of one turn, where its request sets a bound: the providers that are called one after the other may
 * not cost more together. Returns its id; every attempt of the job finds the spending of earlier ones.
 */
export async function openTurnBudget(
  { db }: Pick<Context, 'db'>,
  job: string,
  { routing: { maxCost } }: TextWork,
): Promise<readonly string[]> {
  if (maxCost === undefined) return [];
  const id = `platform:${job}`;
  await openBudget(db, id, maxCost);
  return [id];
}
