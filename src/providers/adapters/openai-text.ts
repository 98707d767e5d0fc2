import { EffectRefused } from '#src/jobs/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Generated, ProviderCall } from '#src/providers/adapter.ts';
import { type ChatFailure, completeChat } from '#src/providers/chat-completions.ts';
import { billedFor, offerOf, textTokensOf } from '#src/providers/quote.ts';
import { callTimeoutMs } from '#src/providers/timeouts.ts';
import { keyOf } from '#src/providers/vendor-http.ts';

/** Why there is no text, in words. */
const reasons: Readonly<Record<ChatFailure, string>> = {
  unreachable: 'the connection failed or broke off',
  slow: 'there was no answer in time',
  busy: 'it is busy (429)',
  refused: 'it refuses the request',
  failed: 'it failed',
  unreadable: 'its answer is not whole or not of its protocol',
};

/** Statuses that refuse what is asked for, as against who asks. */
const unwanted = new Set([400, 413, 415, 422, 451]);

/** Has a text written. */
export async function write(call: ProviderCall): Promise<Generated> {
  const { provider, capability, request, signal } = call;
  const offered = offerOf(provider, capability);
  call.progress('writing');
  const outcome = await completeChat(
    { url: provider.url ?? '', model: offered.model, key: keyOf(provider) },
    {
      messages: [{ role: 'user', content: request.prompt }],
      tools: [],
      toolChoice: 'none',
      maxTokens: textTokensOf(offered),
      timeoutMs: callTimeoutMs(provider),
    },
    signal,
  );
  if (!outcome.ok) throw failure(call, outcome.reason, outcome.status);
  if (!outcome.content) throw failure(call, 'unreadable', 200);
  const used = outcome.usage ? { inputTokens: outcome.usage.input, outputTokens: outcome.usage.output } : {};
  const characters = Array.from(request.prompt).length;
  return {
    produced: [],
    text: outcome.content,
    billed: billedFor(offered.price, { calls: 1, characters, ...used }),
    externalId: null,
  };
}

/** The same rules as for every other answer: see `assertTaken`. */
function failure({ provider }: ProviderCall, reason: ChatFailure, status: number | null): AppError {
  const details = { provider: provider.id, reason, ...(status !== null && { status }) };
  const message = `expected a text from ${provider.id}, and ${reasons[reason]}.`;
  if (reason === 'refused' && unwanted.has(status ?? 0)) return new EffectRefused('provider_refused', message, details);
  const isNothing = reason === 'busy' || (reason === 'refused' && status !== 408) || status === 503;
  return isNothing
    ? new EffectRefused('provider_failed', message, details)
    : new AppError('provider_failed', message, details);
}
