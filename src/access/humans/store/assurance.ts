/**
 * How surely a human stands behind a proof, weakest first:
 * `enrolled`, an operator vouched for them; `unique`, a provider showed that they enrolled once only; `present`, a provider
 * said that its user was there when the proof was made; `unique+present`, both.
 */
export const assurances = ['enrolled', 'unique', 'present', 'unique+present'] as const;

export type Assurance = (typeof assurances)[number];

/** Whether what was reached is at least what is needed. */
export function meets(have: Assurance, need: Assurance): boolean {
  return assurances.indexOf(have) >= assurances.indexOf(need);
}

/** What a proof reaches when presence was shown as well. */
export function withPresence(enrolled: Assurance): Assurance {
  return enrolled === 'unique' || enrolled === 'unique+present' ? 'unique+present' : 'present';
}
