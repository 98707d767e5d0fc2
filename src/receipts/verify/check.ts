/**
 * `pending`: not there yet, and may come. `not-checked`: nothing speaks against it, but it could not be established.
 */
export type Verdict = 'pass' | 'fail' | 'pending' | 'not-checked';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly verdict: Verdict;
  /** A sentence: what was found, or what was expected and what came. */
  readonly reason: string;
}

/** Several checks that together answer one question. */
export interface Count {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly checks: readonly Check[];
}

const worstFirst: readonly Verdict[] = ['fail', 'not-checked', 'pending', 'pass'];

/** A check by why it fails; null where it passes, with what that says. */
export function checked(name: string, why: string | null, good: string): Check {
  return why === null ? { name, verdict: 'pass', reason: good } : { name, verdict: 'fail', reason: why };
}

/** The worst of the checks speaks for all: one that fails is not made good by others. */
export function countOf(checks: readonly Check[], good: string): Count {
  const verdict = worstFirst.find((one) => checks.some((check) => check.verdict === one)) ?? 'not-checked';
  if (verdict === 'pass') return { verdict, reason: good, checks };
  return {
    verdict,
    reason: checks.find((check) => check.verdict === verdict)?.reason ?? 'Nothing was checked.',
    checks,
  };
}
