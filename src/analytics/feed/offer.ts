import type { take } from '#queues/analytics.ts';
import type { Result } from '#queues/define.ts';

export type TakeOutcome = Result<typeof take>['outcome'];

/** Reads a document as a chain and offers it to the feed. */
export type Offer = (bytes: Uint8Array<SharedArrayBuffer>) => Promise<TakeOutcome>;
