/** Generations of dealer positions, as an answer is asked for by. */
export const generationNames = ['1', '2', '3', 'ensemble'] as const;
export type GenerationName = (typeof generationNames)[number];
