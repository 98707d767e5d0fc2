import type { TextResult } from '#queues/platform.ts';
import type { RoutePolicy } from '#src/providers/routing/routing.ts';
import type { TextDelta, TextRequest } from '#src/providers/text/text.ts';

/** What a body says of how its provider is chosen; all of it optional. */
export interface TextRouting {
  readonly policy: RoutePolicy;
  /** Only these, by id. */
  readonly providers?: readonly string[];
  /** None of these, by id. */
  readonly exclude?: readonly string[];
  /** Most that one call may be quoted at, in millionths of a dollar. */
  readonly maxCost?: number;
  /** Whether another provider is asked where the first cannot; yes unless said otherwise. */
  readonly fallback: boolean;
}

export interface TextWork {
  readonly request: TextRequest;
  /** `null` for whichever suits; else a model, or `provider/model`, of the catalogue. */
  readonly model: string | null;
  readonly routing: TextRouting;
}

/** A turn under way: the provider has answered with its first piece, so that no other is asked any more. */
export interface RunningText {
  readonly job: string;
  readonly provider: string;
  readonly model: string;
  /** Ends with the turn; throws what went wrong in the middle. Leaving it early ends the call. */
  readonly deltas: AsyncIterable<TextDelta>;
  /** What came of it, once the deltas have ended well; null before. */
  readonly result: () => TextResult | null;
  /** Whether an earlier answer is told again, and nobody was asked. */
  readonly replayed: boolean;
  /** What the response cache did; null where it was not asked. */
  readonly cache: 'hit' | 'miss' | null;
}
