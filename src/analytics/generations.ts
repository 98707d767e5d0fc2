/** Generations of dealer positions that an answer can be asked for. */
export const generations = ['1'] as const;
