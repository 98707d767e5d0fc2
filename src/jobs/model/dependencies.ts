/** Other jobs that one job may wait for before it begins. */
export const MOST_DEPENDENCIES = 1_000;

/** Fate of a job where one of those it waits for does not succeed: it fails without having run, or runs all the same. */
export const dependencyPolicies = ['fail', 'continue'] as const;
export type DependencyPolicy = (typeof dependencyPolicies)[number];

/** Jobs that have to end before a job begins. */
export interface DependsOn {
  /** Ids of jobs of the same owner, at most {@link MOST_DEPENDENCIES}. */
  readonly jobs: readonly string[];
  readonly onFailure: DependencyPolicy;
}
