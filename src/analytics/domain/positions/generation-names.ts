import type { Generation } from './dealer-positions.ts';

/** Generations of dealer positions, as an answer is asked for by. */
export const generationNames = ['1', '2', '3', 'ensemble'] as const;
export type GenerationName = (typeof generationNames)[number];

/** One value for each generation. */
export type ByGeneration<T> = Readonly<Record<GenerationName, T>>;

/** Makes the value of each generation. */
export function byGeneration<T>(valueOf: (name: GenerationName) => T): ByGeneration<T> {
  return { '1': valueOf('1'), '2': valueOf('2'), '3': valueOf('3'), ensemble: valueOf('ensemble') };
}

/** The generation of a name, as answers tell it. */
export function generationOf(name: GenerationName): Generation {
  return name === 'ensemble' ? name : (Number(name) as 1 | 2 | 3);
}
