import { type Duration, milliseconds } from './duration.ts';

/** Area of the governance doctrine; the second and the third take a proof of personhood besides the sign-in. */
export type ApprovalArea = 'liveProviderSpend' | 'publishing' | 'voiceAndLikeness' | 'commercialClaims';

/** Decision by a person that a job waits for before it runs. */
export interface Approval {
  /** Reason to ask a person, in a sentence that they are shown. */
  readonly why: string;
  readonly areas?: readonly ApprovalArea[];
  /** Time after which it can no longer be decided, and the job is cancelled. */
  readonly decideWithin?: Duration;
}

/** Money that is reserved before a job runs, in dollars. */
export interface Budget {
  /** Most that is reserved for one job: no effect is begun once those before have cost it. */
  readonly jobUsd: number;
  /** Most that all jobs of the queue may cost in a month (UTC). */
  readonly monthUsd?: number;
}

/** Terms that a job runs under, beside its own. */
export interface Terms {
  readonly approval?: Approval;
  readonly budget?: Budget;
  /** True where its end is sealed and anchored. */
  readonly receipt?: boolean;
}

/** Terms as contracts and submissions have them. */
export function termsBody({
  approval,
  budget,
  receipt,
}: { readonly approval?: Approval | true } & Omit<Terms, 'approval'>): Readonly<Record<string, unknown>> {
  return {
    ...(approval !== undefined && { approval: approval === true || approvalBody(approval) }),
    ...(budget && {
      budget: { job_usd: budget.jobUsd, ...(budget.monthUsd !== undefined && { month_usd: budget.monthUsd }) },
    }),
    ...(receipt !== undefined && { receipt }),
  };
}

function approvalBody({ why, areas, decideWithin }: Approval): Readonly<Record<string, unknown>> {
  return {
    why,
    ...(areas && { areas }),
    ...(decideWithin !== undefined && { decide_within_s: Math.round(milliseconds(decideWithin) / 1_000) }),
  };
}
