import type { FastifyReply, FastifyRequest } from 'fastify';
import { fit } from '#queues/analytics.ts';
import { answerWithJob } from '#src/http/answer-with-job.ts';
import { principalOf } from '#src/http/guard.ts';
import type { Hub } from '#src/http/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { newestAnswer } from './chain-store.ts';
import type { MarketSymbol } from './domain/symbols.ts';
import { marketName, readAnswer } from './live-tell.ts';
import { noChain } from './take-chain.ts';

export interface SectionRequest {
  readonly symbol: MarketSymbol;
  /** As `answerField` names it. */
  readonly field: string;
  readonly from: 'own' | 'feed';
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
  { symbol, field, from }: SectionRequest,
): Promise<FastifyReply> {
  const { context } = edge;
  const own = from === 'own' ? await newestAnswer(context, symbol, principalOf(request).owner, field) : null;
  const live = own === null ? await readAnswer(context, marketName(symbol), field) : null;
  if (live !== null) return sendText(reply, live);
  const chain = own ?? (await newestAnswer(context, symbol, null, field));
  if (chain === null) throw noChain(symbol);
  if (chain.answer !== null) return sendText(reply, chain.answer);
  // one job for all who ask; a new one each hour, so that one that was cancelled does not stand for ever
  const hour = Math.floor(Date.now() / 3_600_000);
  return await answerWithJob(edge, request, reply, fit, {
    payload: () => ({ chainId: chain.id }),
    idempotencyKey: `fit ${chain.id} ${hour}`,
    present: async () => {
      reply.type('application/json; charset=utf-8');
      const computed = await newestAnswer(context, symbol, own === null ? null : principalOf(request).owner, field);
      if (computed?.answer) return computed.answer;
      throw new AppError('no_chain', 'The chain was replaced while its figures were computed; ask again.', { symbol });
    },
  });
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
