/** Fates of a run whose time has come while the run before has not ended. */
export const overlaps = ['skip', 'queue', 'replace'] as const;

/** Times that passed while nothing ran, and are made up for. */
export const missedPolicies = ['none', 'last', 'all'] as const;
