/** Findings of a human about effects whose outcome was unknown: they did not happen, or they did. */
export const unknownEffectDecisions = ['send_again', 'assume_done'] as const;
export type UnknownEffectDecisions = (typeof unknownEffectDecisions)[number];
