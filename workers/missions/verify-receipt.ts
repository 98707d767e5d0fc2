import { AppError } from '#src/lib/errors.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { ownAttest } from '#src/receipts/verify/own-attest.ts';
import type { StepRun } from './step-run.ts';

/** Attests a receipt of this service, the chain included. @throws AppError `not_found`. */
export const verifyOwnReceipt: StepRun = async ({ payload: { input }, context }) => {
  const { receiptId } = input as { receiptId: string };
  const receipt = await readReceipt(context, receiptId);
  if (!receipt) throw new AppError('not_found', `No receipt has the id ${receiptId}.`, { receipt: receiptId });
  return await ownAttest(context).onChain(receipt, receiptId);
};
