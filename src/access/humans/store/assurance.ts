/**
 * Levels of assurance that a human is behind a proof, weakest first:
 * `enrolled`, an operator vouched for them; `unique`, a provider showed that they enrolled once only; `present`, a
 * provider said that its user was there when the proof was made; `unique+present`, both.
 */
export const assurances = ['enrolled', 'unique', 'present', 'unique+present'] as const;

export type Assurance = (typeof assurances)[number];

/** Checks whether an assurance is at least the one that is needed. */
export function meets(have: Assurance, need: Assurance): boolean {
  return assurances.indexOf(have) >= assurances.indexOf(need);
}

/** Returns the assurance of a proof when presence was shown as well. */
export function withPresence(enrolled: Assurance): Assurance {
  return enrolled === 'unique' || enrolled === 'unique+present' ? 'unique+present' : 'present';
}
