import { randomUUID } from 'node:crypto';
import type { Payload, Result } from '#queues/define.ts';
import type { respond } from '#queues/platform.ts';
import type { Hub } from '#src/http/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { catalogueOf } from '#src/providers/catalogue-load.ts';
import { offerOf, textTokensOf } from '#src/providers/quote.ts';
import type { RoutePolicy } from '#src/providers/routing.ts';
import { streamText } from '#src/providers/text/stream-text.ts';
import type { TextDelta, TextRequest } from '#src/providers/text/text.ts';
import type { Context } from '#src/system/context.ts';
import { gatherText } from './gather-text.ts';

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
}

export interface TextOptions {
  /** Ends the turn when the caller leaves; what came until then is paid for. */
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string;
  /** What the client asked for, as text: a repetition under a key is told by it. Without one the work is the request. */
  readonly request?: string;
}

/**
 * Begins a turn of text for somebody who waits: it runs in this process.
 *
 * @throws AppError `providers_exhausted` with the reasons where nobody can be asked; `provider_refused`.
 */
export async function startText(
  { context }: { readonly context: Context; readonly hub?: Hub },
  _principal: Principal,
  { request }: TextWork,
  { signal }: TextOptions,
): Promise<RunningText> {
  const provider = catalogueOf(context).find(({ capabilities }) => capabilities['text.generate']);
  if (!provider) throw new AppError('providers_exhausted', 'expected a provider of text, got none.', { providers: [] });
  const offered = offerOf(provider, 'text.generate');
  const deltas = streamText({ provider, offered, request, maxTokens: textTokensOf(offered), signal });
  const first = await deltas.next();
  return {
    job: randomUUID(),
    provider: provider.id,
    model: offered.model,
    deltas: (async function* () {
      if (!first.done) yield first.value;
      yield* deltas;
    })(),
  };
}

/** What a processor of {@link respond} is given. */
export interface TextRun {
  readonly context: Context;
  readonly payload: Payload<typeof respond>;
  readonly job: { readonly id: string; readonly owner: string; readonly attempt: number };
  readonly signal: AbortSignal;
}

/**
 * One attempt at a turn whose job this process has claimed.
 *
 * @param hear is told each piece as it comes; the next one waits for it
 * @throws AppError `providers_exhausted`, `provider_refused`, `outcome_unknown`.
 */
export async function runTextHere(
  { context, payload: { work }, signal }: TextRun,
  hear: (delta: TextDelta) => unknown = () => {},
): Promise<Result<typeof respond>> {
  const nobody: Principal = {
    owner: '',
    keyId: null,
    scopes: [],
    operator: false,
    human: null,
    session: null,
    tier: '',
  };
  const { deltas, provider, model } = await startText({ context }, nobody, work as TextWork, { signal });
  const text = gatherText();
  for await (const delta of deltas) {
    text.add(delta);
    await hear(delta);
  }
  const { message, finish, usage } = text.read();
  return { provider, model, finish: finish ?? 'stop', usage, costMicroUsd: 0, message };
}
