import { Type } from 'typebox';
import { assurances } from './assurance.ts';

/** Assurance that a human stands behind a proof, in answers. */
export const AssuranceName = (description: string) =>
  Type.Enum([...assurances], { title: 'Assurance', type: 'string', description });
