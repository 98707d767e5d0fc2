import { openBudget } from '#src/governance/budgets/budgets.ts';
import type { Context } from '#src/system/context.ts';
import type { TextWork } from './text-work.ts';

/**
 * The budget of one turn, where its request sets a bound: providers that are asked one after the other may together not
 * cost more. Answers its id; every attempt of the job finds what the earlier ones have spent.
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
