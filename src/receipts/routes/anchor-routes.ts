import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { batchStatuses } from '#src/receipts/anchor/leaves.ts';
import { listAnchors } from '#src/receipts/anchor/list-anchors.ts';
import type { Context } from '#src/system/context.ts';

const Query = Type.Object({
  chain: Type.Optional(
    Type.String({ pattern: '^eip155:[1-9][0-9]{0,14}$', description: 'CAIP-2 id; without one the chain in use' }),
  ),
  cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description: '`nextCursor` of the page before' })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Batches per page' }),
});

const strict = { additionalProperties: false };
const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const Hash = Type.String({ pattern: '^0x[0-9a-f]{64}$' });

const Attempt = Type.Object(
  {
    tx: Hash,
    nonce: Type.Integer(),
    why: Type.Enum(['first', 'bump', 'nonce_taken'], {
      type: 'string',
      description: 'The first one; higher fees for the same nonce; another nonce, since something else used this one',
    }),
    lost: Type.Integer({ description: 'Number of times that the chain had it and then had it no more' }),
    block: nullable(Type.Object({ number: Type.Integer(), hash: Hash }, strict), 'Where the chain has it now'),
  },
  { ...strict, title: 'AnchorAttempt' },
);

const Anchor = Type.Object(
  {
    number: Type.Integer({ description: 'Rises from batch to batch' }),
    status: Type.Enum([...batchStatuses], {
      type: 'string',
      description: 'Finality on the chain; `void`: a filler that was not needed',
    }),
    chain: Type.String(),
    from: Type.String({ description: 'The account, which sends to itself' }),
    nonce: Type.Integer({ description: 'One batch a nonce: the account’s transactions are this list without gaps' }),
    root: nullable(Hash, 'The whole calldata; null: an empty transaction that fills a nonce'),
    leaves: Type.Array(Hash, { description: 'Roots of the receipts, RFC 6962 leaf hashes in the order of the tree' }),
    attempts: Type.Array(Attempt, { description: 'Everything that was signed for it, oldest first' }),
  },
  { ...strict, title: 'ChainAnchor' },
);

const Answer = Type.Object(
  {
    chain: Type.String(),
    data: Type.Array(Anchor, { description: 'Oldest first' }),
    nextCursor: nullable(Type.String(), 'Where the next page begins; null when there is none yet'),
  },
  strict,
);

/** Every batch of anchors, for auditors: with the chain itself it shows that nothing was anchored in secret. */
export const anchorRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/api/v1/anchors',
    {
      config: { access: 'public', anyOrigin: true },
      schema: {
        tags: ['receipts'],
        summary: 'List the batches of anchors of a chain, oldest first',
        description: 'Public, and readable from pages of any origin. Receipts are named by their roots alone.',
        operationId: 'listAnchors',
        security: [],
        querystring: Query,
        response: { 200: Answer },
      },
    },
    async ({ query }) => {
      const chain = query.chain ?? context.config.ANCHOR_CHAIN;
      const found = await listAnchors(context, { chain, after: Number(query.cursor ?? 0), limit: query.limit + 1 });
      const data = found.slice(0, query.limit);
      const last = data.at(-1);
      return { chain, data, nextCursor: found.length > data.length && last ? String(last.number) : null };
    },
  );
};
