import { basics } from './basics.ts';
import type { Case } from './case.ts';
import { effects } from './effects.ts';
import { ends } from './ends.ts';
import { steps } from './steps.ts';
import { trouble } from './trouble.ts';
import { waits } from './waits.ts';

/** Every case, by what it is about. */
export const groups: Readonly<Record<string, readonly Case[]>> = { basics, trouble, steps, effects, waits, ends };
