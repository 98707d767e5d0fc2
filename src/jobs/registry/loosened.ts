import type { ContractBody } from './contract-body.ts';

/**
 * Finds a term of a contract that a later one takes away or widens: a decision that is needed no more, money that may be
 * more, a receipt that is left out. JSON pointer in the contract; null for none.
 */
export function loosened(earlier: ContractBody, later: ContractBody): string | null {
  const { approval: asked, budget: had, receipt: sealed } = earlier;
  const { approval, budget, receipt } = later;
  if (asked && !approval) return '/approval';
  if (asked?.areas?.some((area) => !approval?.areas?.includes(area))) return '/approval/areas';
  if (had && !budget) return '/budget';
  if (had && budget && budget.job_usd > had.job_usd) return '/budget/job_usd';
  if (had?.month_usd !== undefined && (budget?.month_usd ?? Number.POSITIVE_INFINITY) > had.month_usd)
    return '/budget/month_usd';
  return sealed && !receipt ? '/receipt' : null;
}
