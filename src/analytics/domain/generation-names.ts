import type { Generation } from './dealer-positions.ts';

/** Generations of dealer positions, as an answer is asked for by. */
export const generationNames = ['1', '2', '3', 'ensemble'] as const;
export type GenerationName = (typeof generationNames)[number];

/** The generation of a name, as answers tell it. */
export function generationOf(name: GenerationName): Generation {
  return name === 'ensemble' ? name : (Number(name) as 1 | 2 | 3);
}
