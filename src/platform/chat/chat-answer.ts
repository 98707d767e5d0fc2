import type { TextResult } from '#queues/platform.ts';
import { type JobLink, jobLink } from '#src/platform/edge/job-link.ts';
import type { RunningText } from '#src/platform/text/text-work.ts';
import { gatherText } from '#src/providers/text/gather-text.ts';
import type { TextDelta, TextUsage } from '#src/providers/text/text.ts';
import { wholeUsage } from '#src/providers/text/usage.ts';

/** Members of our answers beside those that clients of OpenAI's kind read. */
export interface OwnMembers {
  readonly job: JobLink;
  readonly run: {
    readonly id: string;
    readonly provider: string;
    readonly model: string;
    /** Null where nothing was settled. */
    readonly cost_usd: number | null;
    /** From the request to the end of the answer. */
    readonly latency_ms: number;
  };
  /** A turn of text leaves no receipt. */
  readonly audit_receipt: null;
}

/** @param since performance.now() at the request */
function ownMembers(
  { job, provider, model, cache }: RunningText,
  result: TextResult | null,
  since: number,
): OwnMembers {
  const cost = cache === 'hit' ? 0 : result && result.costMicroUsd / 1e6;
  return {
    job: jobLink(job, 'succeeded'),
    run: { id: job, provider, model, cost_usd: cost, latency_ms: Math.round(performance.now() - since) },
    audit_receipt: null,
  };
}

function usageOf(usage: TextUsage | null): object | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}

const head = (object: string, { job, model }: RunningText) => ({
  id: `chatcmpl-${job}`,
  object,
  created: Math.floor(Date.now() / 1_000),
  model,
});

/** The whole answer. @throws what the turn ends with */
export async function wholeChat(running: RunningText, since: number): Promise<object> {
  const text = gatherText();
  for await (const deltas of running.pieces) for (const delta of deltas) text.add(delta);
  const { message, finish, usage } = text.read();
  const calls = message.toolCalls.map(({ id, name, arguments: json }) => ({
    id,
    type: 'function',
    function: { name, arguments: json },
  }));
  const said = { role: 'assistant', content: message.content, refusal: message.refusal };
  return {
    ...head('chat.completion', running),
    choices: [
      {
        index: 0,
        message: calls.length > 0 ? { ...said, tool_calls: calls } : said,
        logprobs: null,
        finish_reason: finish ?? 'stop',
      },
    ],
    ...(usage && { usage: usageOf(usage) }),
    ...ownMembers(running, running.result(), since),
  };
}

/**
 * Yields the answer piece by piece, as chunks, those that came together at once. The last one holds what is known only at the end.
 *
 * @throws the error that the turn ends with
 */
export async function* chatChunks(
  running: RunningText,
  withUsage: boolean,
  since: number,
): AsyncGenerator<readonly object[]> {
  const same = { ...head('chat.completion.chunk', running), ...(withUsage && { usage: null }) };
  const chunk = (delta: object, finish: string | null = null) => ({
    ...same,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
  let finish = 'stop';
  let usage: TextUsage | null = null;
  yield [chunk({ role: 'assistant', content: '', refusal: null })];
  for await (const deltas of running.pieces) {
    const chunks: object[] = [];
    for (const delta of deltas) {
      if (delta.kind === 'finish') finish = delta.reason;
      else if (delta.kind === 'usage') usage = wholeUsage(delta.usage);
      else chunks.push(chunk(pieceOf(delta)));
    }
    if (chunks.length > 0) yield chunks;
  }
  const last = ownMembers(running, running.result(), since);
  yield [
    { ...chunk({}, finish), ...(!withUsage && last) },
    ...(withUsage ? [{ ...same, choices: [], usage: usageOf(usage), ...last }] : []),
  ];
}

function pieceOf(delta: Extract<TextDelta, { kind: 'text' | 'refusal' | 'tool' }>): object {
  if (delta.kind === 'text') return { content: delta.text };
  if (delta.kind === 'refusal') return { refusal: delta.text };
  const { index, id, name, arguments: text } = delta;
  const isFirst = id !== undefined;
  return {
    tool_calls: [
      {
        index,
        ...(isFirst && { id, type: 'function' }),
        function: { ...(name !== undefined && { name }), arguments: text },
      },
    ],
  };
}
