/** Models of what dealers hold, as the API names them. */
export const generations = {
  '1': 'Dealers: by convention',
  '2': 'Dealers: prior by type, delta, tenor',
  '3': 'Dealers: from signed trades',
  ensemble: 'Dealers: ensemble of prior and trades',
} as const;

export type Generation = keyof typeof generations;

/** The model that a text names; the convention where it names none. */
export function generationOf(text: string | null): Generation {
  return text !== null && text in generations ? (text as Generation) : '1';
}

/** The source of the band around a figure, by model; the convention states none. */
export const bandSources: Readonly<Record<Generation, string>> = {
  '1': 'convention',
  '2': 'the prior',
  '3': 'signed trades',
  ensemble: 'prior and trades',
};
