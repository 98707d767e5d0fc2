import type { FastifyReply, FastifyRequest } from 'fastify';
import { fit } from '#queues/analytics.ts';
import { answerWithJob } from '#src/http/answer-with-job.ts';
import { principalOf } from '#src/http/guard.ts';
import type { Hub } from '#src/http/hub.ts';
import type { Context } from '#src/system/context.ts';
import type { MarketSymbol } from './domain/symbols.ts';
import { computedAnswer, findAnswer, fitKey } from './find-answer.ts';

export interface SectionRequest {
  readonly symbol: MarketSymbol;
  /** As `answerField` names it. */
  readonly field: string;
  readonly from: 'own' | 'feed';
  /** What is sent of the answer that is kept; all of it without. @throws AppError where it cannot be. */
  readonly show?: ((text: string) => string) | undefined;
}

/**
 * Sends an answer as it was computed: of the caller's own newest chain, else of the live feed, else of the feed's
 * newest stored chain. Only a reader who is faster than the job that computes it waits for that job.
 *
 * @throws AppError `no_chain`.
 */
export async function sendSection(
  edge: { readonly context: Context; readonly hub: Hub },
  request: FastifyRequest,
  reply: FastifyReply,
  { symbol, field, from, show = asItIs }: SectionRequest,
): Promise<FastifyReply> {
  const { context } = edge;
  const owner = from === 'own' ? principalOf(request).owner : null;
  const found = await findAnswer(context, { symbol, field, owner });
  if (found.text !== null) return sendText(reply, show(found.text));
  return await answerWithJob(edge, request, reply, fit, {
    payload: () => ({ chainId: found.chain }),
    idempotencyKey: fitKey(found.chain),
    present: async () => {
      reply.type('application/json; charset=utf-8');
      return show(await computedAnswer(context, { symbol, field, owner: found.owner }));
    },
  });
}

const asItIs = (text: string) => text;

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
