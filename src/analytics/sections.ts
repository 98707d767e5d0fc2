import type { TSchema } from 'typebox';
import { GexData, LevelsData, RegimeData } from './schemas.ts';

/** One route of a symbol: what it answers, and under which path. */
export interface Section {
  /** After `/v1/`; with the symbol behind it, or in the query. */
  readonly path: string;
  readonly title: string;
  readonly data: TSchema;
}

/** Every answer that is computed with a symbol's state, by its name. */
export const sections = {
  gex: { path: 'gex', title: 'Gamma exposure of a symbol', data: GexData },
  regime: { path: 'regime', title: 'Regime of a symbol: whether its dealers damp or amplify moves', data: RegimeData },
  levels: { path: 'levels', title: 'Walls, flips and other levels of a symbol', data: LevelsData },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof sections;

/** The name under which an answer is kept. */
export function answerField(section: string, generation: string): string {
  return `${section}:${generation}`;
}
