import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ask, fit } from '#queues/analytics.ts';
import type { Payload } from '#queues/define.ts';
import { mustSee } from '#src/analytics/chains/take-chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { answerWithJob } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Context } from '#src/system/context.ts';
import { computedAnswer, findAnswer, fitKey } from './find-answer.ts';

export interface SectionRequest {
  readonly symbol: MarketSymbol;
  /** As `answerField` names it. */
  readonly field: string;
  readonly from: 'own' | 'feed';
  /**
   * Selects the part of the stored answer to send; all of it without.
   *
   * @throws AppError where it cannot be selected.
   */
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

type CustomSection = Pick<Payload<typeof ask>, 'section' | 'generation' | 'options'> &
  Pick<SectionRequest, 'symbol' | 'from'>;

/**
 * Sends a section computed by a job with models of the caller's own, of the newest stored chain that the caller sees.
 *
 * @throws AppError `no_chain`, and as `answerWithJob`.
 */
export async function sendCustomSection(
  edge: { readonly context: Context; readonly hub: Hub },
  request: FastifyRequest,
  reply: FastifyReply,
  { symbol, from, ...section }: CustomSection,
): Promise<FastifyReply> {
  const { id } = await mustSee(edge.context, symbol, principalOf(request).owner, from);
  return await answerWithJob(edge, request, reply, ask, {
    payload: () => ({ chainId: id, ...section }),
    idempotencyKey: requestKey(id, section),
  });
}

/**
 * Returns the idempotency key of a request: one job for equal requests about the same chain; a new one each hour, as
 * with the stored answers.
 */
function requestKey(chain: string, section: Omit<CustomSection, 'symbol' | 'from'>): string {
  return `ask ${hash('sha256', JSON.stringify([chain, section]))} ${Math.floor(Date.now() / 3_600_000)}`;
}

const asItIs = (text: string) => text;

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
