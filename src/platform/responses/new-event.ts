import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';

type Unnumbered<T> = T extends unknown ? Omit<T, 'sequence_number'> : never;
/** An event that has no number yet. */
export type NewResponseEvent = Unnumbered<ResponseEvent>;
