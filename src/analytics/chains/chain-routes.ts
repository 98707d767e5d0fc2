import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { fit } from '#queues/analytics.ts';
import { Forgotten, SnapshotAnswer, SymbolParams } from '#src/analytics/answers/schemas.ts';
import { snapshotAnswer } from '#src/analytics/answers/snapshot-data.ts';
import { marketSymbol } from '#src/analytics/answers/symbol-params.ts';
import { clientGone } from '#src/http/request/client-gone.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { acceptedResponse, answerWithJob, WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { uploadBudget } from '#src/system/outside/upload-budget.ts';
import { forgetChains } from './chain-store.ts';
import { SnapshotRequest } from './read-upload.ts';
import { takeChain } from './take-chain.ts';

const tags = ['analytics'];
const SnapshotQuery = Type.Object({
  symbol: Type.Optional(
    Type.String({ minLength: 1, maxLength: 10, description: 'Underlying; needed for a body that is CSV' }),
  ),
});
const SnapshotCsv = Type.String({
  description: 'A chain as Cboe’s website exports it; its symbol is in the query',
});

/** Chains: `snapshot` takes them in and forgets them. */
export const chainRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, { context, hub }) => {
  const limit = context.config.CHAIN_BODY_LIMIT_BYTES;
  const rooms = new WeakMap<FastifyRequest, () => void>();

  app.post(
    '/v1/snapshot',
    {
      config: { scope: 'platform.mcp.execute', rawBody: 'chain' },
      bodyLimit: context.config.CHAIN_BODY_LIMIT_BYTES,
      // before the body is read: afterwards it is in memory
      preParsing: async (request, reply, payload) => {
        const length = Number(request.headers['content-length'] ?? limit);
        const giveBack = uploadBudget(context)(Math.min(length, limit));
        rooms.set(request, giveBack);
        reply.raw.once('close', giveBack);
        return payload;
      },
      schema: {
        tags,
        summary: 'Analyse an option chain, or read the analytics of the stored one',
        description:
          'Several MB are normal. An uploaded chain is yours alone: other callers and streams keep the configured feed.',
        operationId: 'createSnapshot',
        headers: WorkHeaders,
        querystring: SnapshotQuery,
        body: {
          content: { 'application/json': { schema: SnapshotRequest }, 'text/csv': { schema: SnapshotCsv } },
        },
        response: { 200: SnapshotAnswer, ...acceptedResponse },
      },
    },
    async (request, reply) => {
      const body: unknown = request.body;
      if (!Buffer.isBuffer(body) || body.length === 0)
        throw new AppError('malformed_body', 'expected a body with symbol and chain, got an empty one.');
      const form = { isCsv: isCsv(request), symbol: request.query.symbol ?? null };
      if (form.isCsv && form.symbol === null) throw symbolMissing();
      return await answerWithJob({ context, hub }, request, reply, fit, {
        payload: async () => {
          const chain = await takeChain(context, principalOf(request).owner, body, form, clientGone(reply));
          return { chainId: chain.id };
        },
        present: snapshotAnswer,
        accepted: () => rooms.get(request)?.(),
      });
    },
  );

  app.delete(
    '/v1/snapshot/:symbol',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Forget your own chains of a symbol, and see the configured feed again',
        operationId: 'forgetSnapshot',
        params: SymbolParams,
        response: { 200: Forgotten },
      },
    },
    async (request) => {
      const symbol = marketSymbol(request.params.symbol);
      return { symbol, forgotten: await forgetChains(context, symbol, principalOf(request).owner) };
    },
  );
};

function isCsv({ headers }: FastifyRequest): boolean {
  return /\bcsv\b/i.test(headers['content-type'] ?? '');
}

/** A CSV body has no other place for its symbol. */
function symbolMissing(): AppError {
  const message = 'query.symbol: expected the symbol of the chain in the body, such as ?symbol=SPX, got nothing.';
  return new AppError('invalid_request', message, { field: 'query.symbol', value: null });
}
