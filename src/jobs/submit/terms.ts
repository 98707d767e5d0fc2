import type { QueueContract } from '#queues/define.ts';
import { type ApprovalTerms, type AreaName, type BudgetTerms, joinApproval } from '#queues/terms.ts';
import { AppError } from '#src/lib/errors.ts';
import { callerName, type Principal } from '#src/lib/principal.ts';

/** Terms that a submission adds to those of its contract. */
export interface AskedTerms {
  /** True: a person has to allow it, for no reason but that its submitter wants so. */
  readonly approval?: boolean | ApprovalTerms;
  readonly budget?: Pick<BudgetTerms, 'job_usd'>;
  /** True where its end is to be sealed; the queue's own without it. */
  readonly receipt?: boolean;
}

/** Caller whose job it is; the key and the session where one of them submits. */
export type Submitter = Pick<Principal, 'owner'> & Partial<Pick<Principal, 'keyId' | 'session'>>;

/** Decision and money that one job runs under, as they are stored. */
export interface Terms {
  readonly approval?: ApprovalTerms & { readonly areas: readonly AreaName[] };
  readonly budget?: BudgetTerms;
  /** Submitter, as the audit names them. */
  readonly by: string;
  /** Key whose monthly budget pays; null for none. */
  readonly keyId: string | null;
  /** Name of the reservation among the job's calls, once it is made. */
  readonly call?: string;
  /** Millionths of a dollar that reservations of before have settled. */
  readonly billed?: number;
}

/**
 * Joins the terms of a contract and of a submission: neither takes away what the other asks for. Null: the job runs
 * under none.
 *
 * @throws AppError `invalid_request` where a submission wants to do without what its contract asks for, or more money
 */
export function termsOf(
  queue: Pick<QueueContract, 'name' | 'approval' | 'budget'>,
  { approval: asked, budget: wanted }: AskedTerms,
  { owner, keyId = null, session = null }: Submitter,
): Terms | null {
  const approval = approvalOf(queue, asked);
  const budget = budgetOf(queue, wanted);
  if (!approval && !budget) return null;
  return { ...(approval && { approval }), ...(budget && { budget }), by: callerName({ owner, keyId, session }), keyId };
}

function approvalOf(
  { name, approval: own }: Pick<QueueContract, 'name' | 'approval'>,
  asked: AskedTerms['approval'],
): Terms['approval'] | null {
  if (asked === false && own)
    throw new AppError(
      'invalid_request',
      `body.approval: expected none or terms of your own, got false: jobs of ${name} wait for a decision.`,
      { field: 'body.approval', value: false },
    );
  if (!asked) return own && { ...own, areas: own.areas ?? [] };
  const terms = asked === true ? (own ?? { why: 'Its submitter wants a decision.' }) : asked;
  const joined = joinApproval(own, terms) ?? terms;
  return { ...joined, areas: joined.areas ?? [] };
}

/**
 * Checks whether the end of a job is to be sealed.
 *
 * @throws AppError `invalid_request` where a submission wants to do without the receipt that its contract asks for
 */
export function wantsReceipt(
  { name, receipt: own }: Pick<QueueContract, 'name' | 'receipt'>,
  { receipt: asked = own }: AskedTerms,
): boolean {
  if (asked || !own) return asked;
  throw new AppError(
    'invalid_request',
    `body.receipt: expected none or true, got false: each job of ${name} leaves a sealed receipt. Leave it out.`,
    { field: 'body.receipt', value: false },
  );
}

function budgetOf(
  { name, budget: own }: Pick<QueueContract, 'name' | 'budget'>,
  wanted: AskedTerms['budget'],
): BudgetTerms | null {
  if (!wanted) return own;
  if (!own || wanted.job_usd <= own.job_usd) return { ...own, ...wanted };
  throw new AppError(
    'invalid_request',
    `body.budget.job_usd: expected at most ${own.job_usd}, the most that a job of ${name} may cost, got ${wanted.job_usd}.`,
    { field: 'body.budget.job_usd', value: wanted.job_usd },
  );
}
