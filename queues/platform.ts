import Type, { type Static } from 'typebox';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });

/** What a turn has said, whole. */
export const TextMessageResult = Type.Object(
  {
    content: nullable(Type.String()),
    refusal: nullable(Type.String()),
    toolCalls: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), arguments: Type.String() }, strict)),
  },
  strict,
);
export type TextMessageResult = Static<typeof TextMessageResult>;

/** What came of a turn. */
export const TextResult = Type.Object(
  {
    provider: Type.String(),
    model: Type.String(),
    finish: Type.Enum(['stop', 'length', 'tool_calls', 'content_filter'], { type: 'string' }),
    /** Null where the provider does not say. */
    usage: nullable(
      Type.Object(
        {
          inputTokens: Count,
          outputTokens: Count,
          cachedTokens: Type.Optional(Count),
          reasoningTokens: Type.Optional(Count),
        },
        strict,
      ),
    ),
    /** Millionths of a dollar, of every provider that was paid. */
    costMicroUsd: Count,
    /** Null for an answer that was streamed to whoever waited, and that nobody may ask for again. */
    message: nullable(TextMessageResult),
  },
  strict,
);
export type TextResult = Static<typeof TextResult>;

/** One turn of a provider of text. */
export const respond = defineQueue({
  name: 'platform.respond',
  title: 'Have a provider write one turn of text',
  payload: Type.Object(
    {
      /** A turn as the platform's text engine takes it; null where it runs in the process that was asked, and nowhere else. */
      work: nullable(Type.Unsafe<object>({ type: 'object' })),
      keyId: nullable(Id),
      /** Whether nobody waits for it. */
      background: Type.Boolean(),
    },
    strict,
  ),
  result: TextResult,
  progress: Type.Object({ stage: Type.String() }, strict),
  attempts: 3,
  timeoutMs: 15 * 60_000,
});
