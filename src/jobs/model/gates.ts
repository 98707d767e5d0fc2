/**
 * Step of a job under terms: a decision is to be asked for, or is; money is to be reserved, or is; it is to end, since the
 * decision was no or came too late.
 */
export const gates = ['ask', 'asked', 'reserve', 'reserved', 'end'] as const;
export type Gate = (typeof gates)[number];
