import type { TextResult } from '#queues/platform.ts';
import type { RoutePolicy } from '#src/providers/routing/routing.ts';
import type { TextDelta, TextRequest } from '#src/providers/text/text.ts';

/** Options of a body for choosing its provider; all of them optional. */
export interface TextRouting {
  readonly policy: RoutePolicy;
  /** Only these, by id. */
  readonly providers?: readonly string[];
  /** None of these, by id. */
  readonly exclude?: readonly string[];
  /** Most that one call may be quoted at, in millionths of a dollar. */
  readonly maxCost?: number;
  /** True where the next provider is called after the first fails; true unless the body says otherwise. */
  readonly fallback: boolean;
}

export interface TextWork {
  readonly request: TextRequest;
  /** `null` for whichever suits; else a model, or `provider/model`, of the catalogue. */
  readonly model: string | null;
  readonly routing: TextRouting;
}

/** A turn under way: the provider has answered with its first piece, so that no other is called any more. */
export interface RunningText {
  readonly job: string;
  readonly provider: string;
  readonly model: string;
  /**
   * The pieces, those that came together at once. Ends with the turn; throws what went wrong in the middle. Leaving it early
   * ends the call.
   */
  readonly pieces: AsyncIterable<readonly TextDelta[]>;
  /** Returns the result once the deltas have ended well; null before. */
  readonly result: () => TextResult | null;
  /** True where an earlier answer is replayed without a provider call. */
  readonly replayed: boolean;
  /** Outcome of the response cache; null where the request did not use it. */
  readonly cache: 'hit' | 'miss' | null;
}
