import { microUsd } from '#src/lib/money.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Budget } from './budget-rows.ts';

/**
 * The budgets of a month (UTC) under which all requests of an owner, or of a key, are paid. Their ceilings are the
 * settings of now: one that was changed holds from the next call on.
 */
export function monthlyBudgets(
  { SPEND_OWNER_MONTHLY_USD, SPEND_KEY_MONTHLY_USD }: Config,
  { owner, keyId }: { readonly owner: string; readonly keyId: string | null },
  at: Date,
): readonly Pick<Budget, 'id' | 'ceiling'>[] {
  const month = at.toISOString().slice(0, 7);
  const ceiling = (usd: number | undefined) => (usd === undefined ? null : microUsd(usd));
  const ofOwner = { id: `owner:${owner}:${month}`, ceiling: ceiling(SPEND_OWNER_MONTHLY_USD) };
  if (keyId === null) return [ofOwner];
  return [ofOwner, { id: `key:${keyId}:${month}`, ceiling: ceiling(SPEND_KEY_MONTHLY_USD) }];
}
