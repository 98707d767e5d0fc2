import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { endedCall } from '#src/providers/calls/call-ends.ts';
import type { Generated, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { callTimeoutMs } from '#src/providers/catalogue/catalogue.ts';
import { askVendor, assertTaken, readJson } from '#src/providers/http/vendor-http.ts';
import { billedFor, offerOf, textTokensOf, usualAmounts } from '#src/providers/routing/quote.ts';
import { tokensUsed } from '#src/providers/text/usage.ts';

const MOST_BYTES = 1_048_576;

const OrNull = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const Completion = Compile(
  Type.Object({
    choices: Type.Array(
      Type.Object({
        message: Type.Object({ content: OrNull(Type.String()) }),
        finish_reason: OrNull(Type.String()),
      }),
      { minItems: 1 },
    ),
    /** Read by itself: a text is none the worse for counts that are none. */
    usage: Type.Optional(Type.Unknown()),
  }),
);

/** Half an answer has another meaning. */
const halves: ReadonlySet<string> = new Set(['length', 'content_filter']);

/** Has a text written. */
export async function write(call: ProviderCall): Promise<Generated> {
  const { provider, capability, request } = call;
  const offered = offerOf(provider, capability);
  call.progress('writing');
  const answer = await askVendor(call, {
    method: 'POST',
    path: '/chat/completions',
    headers: { 'idempotency-key': call.key },
    body: {
      model: offered.model,
      messages: [{ role: 'user', content: request.prompt }],
      // not max_tokens, which newer models refuse
      max_completion_tokens: textTokensOf(offered),
    },
    mostBytes: MOST_BYTES,
    timeoutMs: callTimeoutMs(provider),
  });
  assertTaken(call, answer);
  const { choices, usage } = readJson(call, answer, Completion);
  const [first] = choices;
  const text = first?.message.content;
  if (!text || halves.has(first.finish_reason ?? ''))
    throw endedCall('unreadable', `expected a whole text from ${provider.id}, got half of one or none.`, {
      provider: provider.id,
      status: answer.status,
    });
  const characters = Array.from(request.prompt).length;
  const used = tokensUsed(usage, usualAmounts(offered, capability, request), 1);
  return { produced: [], text, billed: billedFor(offered.price, { calls: 1, characters, ...used }), externalId: null };
}
