import { JobError } from '../errors/job-error.ts';
import type { StoredStep } from './reports.ts';

/** A step that a run has asked for. */
export interface Begun {
  readonly name: string;
  /** Number of steps that had ended when it began. */
  readonly after: number;
  /** The same step as an earlier attempt has kept it. */
  readonly stored: StoredStep | undefined;
}

/** The steps of one run beside those that earlier attempts have stored. */
export interface Ledger {
  /** Begins a step. @throws JobError `step_repeated` for a name that this run has asked for before. */
  readonly begin: (kind: StoredStep['kind'], name: string) => Begun;
  /** Begins a step where it is stored; undefined where it is not, and its name stays free. */
  readonly find: (kind: StoredStep['kind'], name: string) => StoredStep | undefined;
  /** Takes a name that no stored step has: of an effect. @throws JobError `step_repeated`. */
  readonly take: (name: string) => void;
  /** Counts a step that has ended. */
  readonly end: () => void;
  /** Error for the first stored step that should have been asked for before a step that began `after` others. */
  readonly divergenceAt: (asked: Begun) => JobError | undefined;
  /** Error for the first stored step that a run which has ended never asked for. */
  readonly divergenceAtEnd: () => JobError | undefined;
}

export function openLedger(steps: readonly StoredStep[]): Ledger {
  const keyOf = (kind: string, name: string) => `${kind} ${name}`;
  const unasked = new Map(steps.toSorted((a, b) => a.n - b.n).map((step) => [keyOf(step.kind, step.name), step]));
  const names = new Set<string>();
  let ended = 0;

  const take = (name: string): void => {
    if (names.has(name)) throw repeated(name);
    names.add(name);
  };
  const begin = (kind: StoredStep['kind'], name: string): Begun => {
    take(name);
    const key = keyOf(kind, name);
    const stored = unasked.get(key);
    unasked.delete(key);
    return { name, after: ended, stored };
  };
  return {
    take,
    begin,
    find: (kind, name) => (unasked.has(keyOf(kind, name)) ? begin(kind, name).stored : undefined),
    end: () => {
      ended += 1;
    },
    divergenceAt: ({ name, after }) => {
      const missed = [...unasked.values()].find((step) => step.after <= after);
      return missed && diverged(missed, `asks for ${name} at its place`);
    },
    divergenceAtEnd: () => {
      const missed = unasked.values().next().value;
      return missed && diverged(missed, 'ends without it');
    },
  };
}

function repeated(name: string): JobError {
  return new JobError(
    'step_repeated',
    `The name ${name} was asked for twice in one run: give each step, effect and wait a name of its own.`,
    { retryable: false, details: { name } },
  );
}

function diverged({ name, kind }: StoredStep, instead: string): JobError {
  return new JobError(
    'steps_diverged',
    `The step ${name} was done by an earlier release and this one ${instead}: finish such jobs with the old code, or give the job a new version.`,
    { retryable: false, details: { name, kind } },
  );
}
