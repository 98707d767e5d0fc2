import { perContext } from '#src/system/per-context.ts';

/** Parts of a question that would be answered. */
export interface QuestionRead {
  /** Why it, or a part of it, would not be; null where all of it is. */
  readonly refusal: string | null;
  /** Words that the answer would not take into account. */
  readonly notUnderstood: readonly string[];
}

/** @param symbol the underlying where the question names none */
export type QuestionReader = (question: string, symbol: string | undefined) => QuestionRead;

/**
 * The reader that knows what a question will be answered with, so that a plan can say it before anything runs. Set by
 * the surface that answers; planning and answering are two surfaces, and neither may import the other.
 */
export const questionReader = perContext((): { read: QuestionReader | null } => ({ read: null }));
