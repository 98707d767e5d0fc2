import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { describeFailure } from '#src/http/errors/describe-failure.ts';
import { clientGone } from '#src/http/request/client-gone.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import { requestText } from '#src/http/request/request-text.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import { holderOf } from '#src/lib/principal.ts';
import { clientError } from '#src/platform/edge/platform-problem.ts';
import { alive, comment } from '#src/platform/edge/send-events.ts';
import { ignoredParameters } from '#src/platform/text/ignored-parameters.ts';
import { startText } from '#src/platform/text/run-text.ts';
import type { RunningText } from '#src/platform/text/text-work.ts';
import type { Context } from '#src/system/context.ts';
import { chatChunks, wholeChat } from './chat-answer.ts';
import { ChatBody } from './chat-body.ts';
import { ChatCompletion, ChatCompletionChunk } from './chat-completion.ts';
import { readChat } from './read-chat.ts';

/** Chat completions, in the words of OpenAI's API. */
export const chatRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  const { hub, context } = edge;
  const heartbeatMs = context.config.STREAM_HEARTBEAT_MS;
  for (const schema of [ChatBody, ChatCompletion, ChatCompletionChunk]) app.addSchema(schema);
  app.post(
    '/chat/completions',
    {
      config: { scope: 'platform.mcp.execute', capability: 'platform.chat', stream: true },
      ...largeBodies(context),
      schema: {
        tags: ['platform'],
        summary: 'Has a provider write the next turn of a conversation',
        description:
          'Compatible with OpenAI’s chat completions. With `stream` the answer is a stream of `chat.completion.chunk`, ended by `[DONE]`; an error in its middle is one last `{"error": …}`. Members that would change the answer and are not implemented are refused.',
        operationId: 'createChatCompletion',
        headers: Type.Pick(WorkHeaders, ['idempotency-key']),
        body: Type.Ref('ChatCompletionRequest'),
        response: {
          200: {
            description: 'The answer; with `stream` its chunks, one an event',
            content: {
              'application/json': { schema: Type.Ref('ChatCompletion') },
              'text/event-stream': { schema: Type.Ref('ChatCompletionChunk') },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const since = performance.now() - reply.elapsedTime;
      const principal = principalOf(request);
      const body = request.body as ChatBody;
      const work = readChat(body);
      const ended = new AbortController();
      const leave = hold(hub, principal, ended);
      const key = request.headers['idempotency-key'];
      try {
        const running = await startText(edge, principal, work, {
          signal: AbortSignal.any([clientGone(reply), hub.stopping, ended.signal]),
          isWhole: body.stream !== true,
          ...(key !== undefined && { idempotencyKey: key, request: requestText(request) }),
          ...(body.cache && { cacheSeconds: body.cache.ttl_seconds }),
        });
        setHeaders(reply, running);
        reply.headers(ignoredParameters(context, running.provider, work.request));
        if (body.stream !== true) {
          const whole = await wholeChat(running, since);
          leave();
          return await reply.send(whole);
        }
        const chunks = chatChunks(running, body.stream_options?.include_usage === true, since);
        const events = Readable.from(written(alive(chunks, heartbeatMs), reply, leave), {
          objectMode: false,
          highWaterMark: 16_384,
        });
        return await reply
          .headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
          .type('text/event-stream; charset=utf-8')
          .send(events.once('close', leave));
      } catch (error) {
        leave();
        throw error;
      }
    },
  );
};

type Principal = ReturnType<typeof principalOf>;

/** One of the key's open streams, whether the answer comes in pieces or whole: ended when the key is. */
function hold(hub: Hub, principal: Principal, ended: AbortController): () => void {
  return hub.hold(holderOf(principal), (reason) =>
    ended.abort(new AppError('cancelled', `The turn was ended: ${reason}.`)),
  );
}

function setHeaders(reply: FastifyReply, { job, provider, replayed, cache }: RunningText): void {
  reply.headers({
    'x-provider': provider,
    'x-job-id': job,
    ...(replayed && cache === null && { 'idempotency-replayed': 'true' }),
    ...(cache !== null && { 'x-cache': cache }),
  });
}

/**
 * Chunks as events, with a comment where none has come for a while; what goes wrong is the last one, and clients see no
 * `[DONE]` then.
 */
async function* written(
  answer: AsyncIterable<readonly object[] | null>,
  reply: FastifyReply,
  leave: () => void,
): AsyncGenerator<string> {
  try {
    for await (const chunks of answer)
      yield chunks === null ? comment : chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    yield 'data: [DONE]\n\n';
  } catch (error) {
    const failure = describeFailure(error);
    if (failure.status >= 500) reply.log.error({ err: error, code: failure.code }, 'a stream broke off');
    yield `data: ${JSON.stringify({ error: clientError(failure) })}\n\n`;
  } finally {
    leave();
  }
}
