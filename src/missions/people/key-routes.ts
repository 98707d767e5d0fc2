import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mintKey } from '#src/access/humans/mint-key.ts';
import { assertScope } from '#src/access/keys/grants.ts';
import { countCalls, countCallsOf } from '#src/access/keys/key-calls.ts';
import { type Key, listKeys } from '#src/access/keys/keys.ts';
import { mayChangeWords } from '#src/access/keys/may-change-key.ts';
import { type Changer, createOwnKey, revokeOwnKey, updateOwnKey } from '#src/access/keys/own-keys.ts';
import { isTier, quotaOf } from '#src/access/keys/tiers.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { ChangeRequest, KeyParams, KeyView, MintAnswer, MintRequest } from './key-schemas.ts';

const tags = ['humans'];

/** Keys: minted by a proof of personhood, or from a key and never more than it; listed, changed and revoked by their owner. */
export const keyRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.post(
    '/api/v1/keys',
    {
      bodyLimit: 32_768,
      // a proof is a credential as well, and the first key of a human has no other
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Mint a key, by a proof of personhood or from a key',
        description:
          'The key is in this answer and nowhere else, ever. Without a proof it needs a key with scope `platform.mcp.execute`.',
        operationId: 'mintKey',
        body: MintRequest,
        response: { 201: MintAnswer },
      },
    },
    async (request, reply) => {
      const { challengeId, proof, name = 'key', scopes, allowedIps, expiresAt } = request.body;
      if ((challengeId === undefined) !== (proof === undefined)) throw halfAProof();
      const wanted = {
        name,
        ...(scopes && { scopes }),
        ...(allowedIps && { allowedIps }),
        ...(expiresAt && { expiresAt: new Date(expiresAt) }),
      };
      if (challengeId === undefined || proof === undefined) assertScope(principalOf(request), 'platform.mcp.execute');
      const { key, secret } =
        challengeId !== undefined && proof !== undefined
          ? await mintKey(context, { ...wanted, challengeId, proof })
          : await createOwnKey(context, changerOf(request), wanted);
      return await reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...keyView(context, key, 0), key: secret });
    },
  );

  app.get(
    '/api/v1/keys',
    {
      config: { scope: 'platform.mcp.read' },
      schema: {
        tags,
        summary: 'List your keys, without their secrets',
        operationId: 'listKeys',
        response: { 200: Type.Object({ data: Type.Array(KeyView, { description: 'Oldest first' }) }) },
      },
    },
    async (request) => {
      const { owner } = principalOf(request);
      const [keys, calls] = await Promise.all([listKeys(context, owner), countCalls(context, owner)]);
      return { data: keys.map((key) => keyView(context, key, calls.get(key.id) ?? 0)) };
    },
  );

  app.patch(
    '/api/v1/keys/:id',
    {
      schema: {
        tags,
        summary: 'Change the name, scopes or addresses of a key of yours',
        description: `It counts in every process after 5 s at the latest. When a key ends cannot be changed. ${mayChangeWords} No scope is needed for it, and none is given that the caller does not hold.`,
        operationId: 'changeKey',
        params: KeyParams,
        body: ChangeRequest,
        response: { 200: KeyView },
      },
    },
    async (request) => {
      const key = await updateOwnKey(context, changerOf(request), request.params.id, request.body);
      return keyView(context, key, await countCallsOf(context, key.id));
    },
  );

  app.delete(
    '/api/v1/keys/:id',
    {
      schema: {
        tags,
        summary: 'Revoke a key of yours, for good',
        description: `No process accepts it after 5 s. ${mayChangeWords} No scope is needed for it. A signed-in person who has proven to be a human may revoke that human’s keys too.`,
        operationId: 'revokeKey',
        params: KeyParams,
        response: { 200: KeyView },
      },
    },
    async (request) => {
      const key = await revokeOwnKey(context, changerOf(request), request.params.id);
      return keyView(context, key, await countCallsOf(context, key.id));
    },
  );
};

function changerOf(request: FastifyRequest): Changer {
  return { principal: principalOf(request), requestId: request.id };
}

function keyView({ config }: Context, key: Key, usageCount: number) {
  const { perMinute, perDay } = quotaOf(config, isTier(key.tier) ? key.tier : 'standard');
  return {
    id: key.id,
    name: key.name,
    start: key.start,
    last4: key.last4,
    scopes: key.scopes,
    allowedIps: key.allowed_ips,
    tier: key.tier,
    rateLimitPerMinute: perMinute,
    rateLimitPerDay: perDay,
    usageCount,
    boundToHuman: key.human_id !== null,
    createdByProof: key.created_by_proof,
    madeBy: key.made_by,
    expiresAt: key.expires_at?.toISOString() ?? null,
    revokedAt: key.revoked_at?.toISOString() ?? null,
    lastUsedAt: key.last_used_at?.toISOString() ?? null,
    createdAt: key.created_at.toISOString(),
  };
}

function halfAProof(): AppError {
  return new AppError('invalid_request', 'expected challengeId and proof together, or neither, got one of them.', {
    field: 'body',
  });
}
