import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { usdText } from '#src/lib/money.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Ceiling and spending of a budget. All in millionths of a dollar. */
const Budget = Type.Object({
  id: Type.String(),
  /** null: no bound. */
  ceiling: Type.Union([Type.Integer(), Type.Null()]),
  reserved: Type.Integer(),
  spent: Type.Integer(),
});
export type Budget = Static<typeof Budget>;

const budgetRow = row(Budget);
const columns = sql.fragment`id, ceiling, reserved, spent`;

export async function readBudget({ db }: { readonly db: CommonQueryMethods }, id: string): Promise<Budget | null> {
  return await db.maybeOne(sql.type(budgetRow)`select ${columns} from budgets where id = ${id}`);
}

/**
 * Locks budgets until the transaction ends: in order of their ids, else two transactions could wait for each other.
 *
 * @throws AppError `not_found` for one that was never opened.
 */
export async function lockBudgets(tx: CommonQueryMethods, ids: readonly string[]): Promise<readonly Budget[]> {
  const budgets = await tx.any(sql.type(budgetRow)`
    select ${columns} from budgets where id = any(${sql.array([...ids], 'text')}) order by id for update`);
  const missing = ids.find((id) => budgets.every((budget) => budget.id !== id));
  if (missing === undefined) return budgets;
  throw unopened(missing);
}

/**
 * Adds to what budgets have reserved and spent, whatever their ceilings. Answers them as they are then, in order of
 * their ids.
 */
export async function moveMoney(
  tx: CommonQueryMethods,
  ids: readonly string[],
  { reserved, spent }: { readonly reserved: number; readonly spent: number },
): Promise<readonly Budget[]> {
  await lockBudgets(tx, ids);
  const changed = await tx.any(sql.type(budgetRow)`
    update budgets set reserved = reserved + ${reserved}, spent = spent + ${spent}, updated_at = now()
    where id = any(${sql.array([...ids], 'text')}) returning ${columns}`);
  return changed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Reserves an amount under every one of these budgets, or under none.
 *
 * @throws AppError `budget_exceeded` for the first whose ceiling would be passed by what is spent, what is reserved,
 *   and this; what costs nothing always fits.
 */
export async function takeFrom(tx: CommonQueryMethods, ids: readonly string[], amount: number): Promise<void> {
  const budgets = await lockBudgets(tx, ids);
  const fitting = new Set(
    await tx.anyFirst(sql.type(row(Type.Object({ id: Type.String() })))`
      update budgets set reserved = reserved + ${amount}, updated_at = now()
      where id = any(${sql.array([...ids], 'text')})
        and (${amount} = 0 or ceiling is null or reserved + spent + ${amount} <= ceiling)
      returning id`),
  );
  const full = budgets.find(({ id }) => !fitting.has(id));
  if (full) throw exceeded(full, amount);
}

/**
 * Says why an amount does not fit under these budgets, where it does not.
 *
 * @param wanted ids of all of them
 * @throws AppError `budget_exceeded` for the first whose ceiling would be passed, `not_found` for one that is missing
 */
export function refuseSpend(budgets: readonly Budget[], wanted: readonly string[], amount: number): void {
  const missing = wanted.find((id) => budgets.every((budget) => budget.id !== id));
  if (missing !== undefined) throw unopened(missing);
  const full = budgets.find(
    ({ ceiling, reserved, spent }) => amount > 0 && ceiling !== null && reserved + spent + amount > ceiling,
  );
  if (full) throw exceeded(full, amount);
}

function unopened(budget: string): AppError {
  return new AppError('not_found', `No budget has the id ${budget}; it is opened before anything is spent under it.`, {
    budget,
  });
}

function exceeded({ id, reserved, spent, ceiling: bound }: Budget, amount: number): AppError {
  const ceiling = bound ?? 0;
  const left = Math.max(0, ceiling - reserved - spent);
  return new AppError(
    'budget_exceeded',
    `expected a call of at most ${microUsdText(left)}, which the budget ${id} has left of ${microUsdText(ceiling)} (${microUsdText(spent)} spent, ${microUsdText(reserved)} reserved), got one of ${microUsdText(amount)}: it was not made.`,
    { budget: id, ceiling, reserved, spent, amount },
  );
}

/** Millionths of a dollar as a sentence has them. */
export function microUsdText(millionths: number): string {
  return `$${usdText(millionths / 1e6)}`;
}
