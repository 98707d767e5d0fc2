import { beginPaid } from '#src/governance/budgets/begin-paid-job.ts';
import { endPaid } from '#src/governance/budgets/end-paid-job.ts';
import { AppError } from '#src/lib/errors.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { endOf, paidJob } from './paid-job.ts';

const CALLERS = 50;

/** A process whose callers begin and end paid jobs, one after the other, until their budget is used up. */
const context = await openContext(loadConfig(), 'spender');

process.once('message', () => void spend());
process.send?.('ready');

async function spend(): Promise<void> {
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => call(n)));
  process.disconnect?.();
  await context[Symbol.asyncDispose]();
  process.exit(0);
}

async function call(n: number): Promise<void> {
  for (;;) {
    const job = await paidJob(context, 100 + n);
    try {
      await beginPaid(context, job);
    } catch (error) {
      if (error instanceof AppError && error.code === 'budget_exceeded') return;
      throw error;
    }
    await endPaid(context)(endOf(job, 100));
  }
}
