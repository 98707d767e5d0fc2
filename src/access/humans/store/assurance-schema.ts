import { Type } from 'typebox';
import { assurances } from './assurance.ts';

/** Schema of an assurance that a human is behind a proof, in answers. */
export const AssuranceName = (description: string) =>
  Type.Enum([...assurances], { title: 'Assurance', type: 'string', description });
