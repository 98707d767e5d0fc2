import type { QueueContract } from '#queues/define.ts';
import { joinApproval, joinBudget } from '#queues/terms.ts';
import { fromText, textOf } from './contract-text.ts';

/**
 * Joins the terms of an earlier version of a contract with those of the newest: naming an earlier version gets around no
 * decision, budget or receipt. Its text, which receipts are about, stays its own.
 */
export function underNewest(contract: QueueContract, newest: QueueContract): QueueContract {
  if (contract === newest || !(newest.approval || newest.budget || newest.receipt)) return contract;
  const joined = {
    ...contract,
    approval: joinApproval(contract.approval, newest.approval),
    budget: joinBudget(contract.budget, newest.budget),
    receipt: contract.receipt || newest.receipt,
  };
  return fromText(joined, textOf(contract));
}
