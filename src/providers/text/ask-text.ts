import { EffectRefused } from '#src/jobs/effects/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { gatherText } from './gather-text.ts';
import { streamText, textLimits } from './stream-text.ts';
import type { TextRequest, TextToolCall } from './text.ts';

const MIB = 1_048_576;

/**
 * A service that speaks OpenAI's chat completions, and is no provider of the catalogue: nothing it costs is reserved.
 */
export interface TextEndpoint {
  /** Base address, such as `https://api.example.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** Bearer key; without one no key is sent. Never logged, and in no outcome. */
  readonly key?: string | undefined;
}

/**
 * Why there is no answer. `slow`: not within its time. `busy`: 429. `refused`: another 4xx, or a redirect, which is not
 * followed as it would carry the key elsewhere. `failed`: 5xx. `unreadable`: not of the protocol, larger than 1 MiB, or
 * cut off.
 */
export type TextFailure = 'unreachable' | 'slow' | 'busy' | 'refused' | 'failed' | 'unreadable';

export type TextOutcome =
  | { readonly ok: true; readonly content: string | null; readonly toolCalls: readonly TextToolCall[] }
  | { readonly ok: false; readonly reason: TextFailure };

/**
 * Requests one turn once and returns its whole answer: the caller has another way, or tries again. The service's own
 * words about a failure are not passed on, as they may repeat the key.
 *
 * @param timeoutMs from the call to the last byte of the answer
 * @param signal ends the call; its reason is thrown
 */
export async function askText(
  { url, model, key }: TextEndpoint,
  request: TextRequest & { readonly maxTokens: number },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<TextOutcome> {
  const late = AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)));
  const offered = { model, price: {}, latency: { base: 0 }, quality: 1 };
  const provider: Provider = {
    id: 'model',
    title: model,
    style: 'openai-compatible',
    url,
    capabilities: { 'text.generate': offered },
    timeoutSeconds: Math.max(1, Math.ceil(timeoutMs / 1_000)),
  };
  const text = gatherText();
  try {
    for await (const deltas of streamText({
      provider,
      offered,
      request,
      maxTokens: request.maxTokens,
      signal: AbortSignal.any([signal, late]),
      limits: { ...textLimits, bytes: MIB, wholeBytes: MIB },
      key: key ?? null,
    }))
      for (const delta of deltas) text.add(delta);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { ok: false, reason: 'slow' };
    if (!(error instanceof AppError)) throw error;
    return { ok: false, reason: failureOf(error) };
  }
  const { message, finish } = text.read();
  // half an answer has another meaning
  if (finish === 'length' || finish === 'content_filter') return { ok: false, reason: 'unreadable' };
  return { ok: true, content: message.content, toolCalls: message.toolCalls };
}

function failureOf(error: AppError): TextFailure {
  const { status } = error.details;
  if (status === 429) return 'busy';
  if (typeof status === 'number' && status >= 300) return status >= 500 ? 'failed' : 'refused';
  if (error instanceof EffectRefused) return 'unreachable';
  // a connection that broke has an error of the network as its cause
  return error.cause instanceof Error && !(error.cause instanceof AppError) ? 'unreachable' : 'unreadable';
}
