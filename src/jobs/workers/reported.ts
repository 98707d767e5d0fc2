import type { Ended } from '#src/jobs/run/conclude.ts';
import type { ReportAnswer } from './report-body.ts';

/** Refuses new work of an owner whose queue is full. */
export type Admit = (caller: { readonly owner: string }, queue: string) => Promise<void>;

/** A report whose job is known, with what its attempt is settled by. */
export interface Reported extends Ended {
  readonly isHeld: boolean;
  /** Lets a child in where its owner's queue has room. @throws AppError `quota_exceeded` */
  readonly admit: Admit;
  readonly startedAt: Date | null;
  /** Shows subscribers how far it is. */
  readonly emit: (key: string, data: unknown) => void;
}

/** Answer to a report of an attempt that is no longer its worker's. */
export const staleAnswer: ReportAnswer = {
  status: 'stale',
  message: 'This attempt is over: the job was cancelled, has ended, or is with another worker. Stop it.',
};
