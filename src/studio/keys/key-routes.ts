import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { assertScope } from '#src/access/keys/grants.ts';
import { countCalls, countCallsOf } from '#src/access/keys/key-calls.ts';
import { keyPrefix } from '#src/access/keys/key-format.ts';
import { type Key, listKeys } from '#src/access/keys/keys.ts';
import { mayChangeWords } from '#src/access/keys/may-change-key.ts';
import { type Changer, createOwnKey, keyToRead, revokeOwnKey, updateOwnKey } from '#src/access/keys/own-keys.ts';
import { isTier, quotaOf } from '#src/access/keys/tiers.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { studioKeyScopes } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import {
  CreatedKey,
  KeyChange,
  KeyCreate,
  KeyList,
  KeyParams,
  KeyRecord,
  KeyUsage,
  RevokedKey,
} from './key-schemas.ts';
import { keyUsageOf } from './key-usage.ts';
import { studioScopesOf } from './studio-scopes.ts';

const tags = ['studio'];
const whoMay = `${mayChangeWords} A key needs no scope for itself, and \`studio.read\` for others.`;

/** Keys of the caller's owner: made, listed, changed, revoked, and what they were used for. */
export const studioKeyRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.post(
    '/keys',
    {
      config: { scope: 'studio.read', capability: 'studio.keys.create' },
      schema: {
        tags,
        summary: 'Make a key',
        description: 'The key is in this answer and nowhere else, ever. One made by a key is never more than that one.',
        operationId: 'studioCreateKey',
        body: KeyCreate,
        response: { 201: CreatedKey },
      },
    },
    async (request, reply) => {
      const { expiresAt, ...wanted } = request.body;
      const { key, secret } = await createOwnKey(context, changerOf(request), {
        ...wanted,
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
      });
      return await reply.code(201).send({ ...keyRecord(context, key, 0), key: secret });
    },
  );

  app.get(
    '/keys',
    {
      config: { scope: 'studio.read', capability: 'studio.keys.read' },
      schema: { tags, summary: 'List your keys, masked', operationId: 'studioListKeys', response: { 200: KeyList } },
    },
    async (request) => {
      const { owner } = principalOf(request);
      const [keys, calls] = await Promise.all([listKeys(context, owner), countCalls(context, owner)]);
      const records = keys.map((key) => keyRecord(context, key, calls.get(key.id) ?? 0));
      return { object: 'list' as const, keys: records, count: records.length };
    },
  );

  app.patch(
    '/keys/:id',
    {
      config: { capability: 'studio.keys.update' },
      onRequest: assertMayManage,
      schema: {
        tags,
        summary: 'Change the name, scopes or addresses of a key',
        description: `It counts in every process after 5 s at the latest. When a key ends cannot be changed. Scopes over jobs stay as they are: \`PATCH /api/v1/keys/{id}\` changes them too. ${whoMay}`,
        operationId: 'studioUpdateKey',
        params: KeyParams,
        body: KeyChange,
        response: { 200: KeyRecord },
      },
    },
    async (request) => {
      const { scopes, ...update } = request.body;
      const key = await updateOwnKey(context, changerOf(request), request.params.id, {
        ...update,
        ...(scopes && { scopes, among: studioKeyScopes }),
      });
      return keyRecord(context, key, await countCallsOf(context, key.id));
    },
  );

  app.delete(
    '/keys/:id',
    {
      config: { capability: 'studio.keys.revoke' },
      onRequest: assertMayManage,
      schema: {
        tags,
        summary: 'Revoke a key, for good',
        description: `No process accepts it after 5 s. ${whoMay}`,
        operationId: 'studioRevokeKey',
        params: KeyParams,
        response: { 200: RevokedKey },
      },
    },
    async (request) => {
      const { id, revoked_at } = await revokeOwnKey(context, changerOf(request), request.params.id);
      const revokedAt = (revoked_at ?? new Date()).toISOString();
      return { id, object: 'key' as const, revoked: true as const, revokedAt };
    },
  );

  app.get(
    '/keys/:id/usage',
    {
      config: { scope: 'studio.read', capability: 'studio.keys.usage' },
      schema: {
        tags,
        summary: 'Read the use of a key',
        description: `Counted from its calls of CALLS_RETENTION_DAYS, up to about a second ago. ${mayChangeWords}`,
        operationId: 'studioKeyUsage',
        params: KeyParams,
        response: { 200: KeyUsage },
      },
    },
    async (request) => {
      const { id } = await keyToRead(context, principalOf(request), request.params.id);
      return await keyUsageOf(context, id);
    },
  );
};

/** Before anything of the request is read, as for every other scope. */
async function assertMayManage(request: FastifyRequest): Promise<void> {
  const principal = principalOf(request);
  const { id } = request.params as Static<typeof KeyParams>;
  if (principal.keyId !== id.toLowerCase()) assertScope(principal, 'studio.read');
}

function changerOf(request: FastifyRequest): Changer {
  return { principal: principalOf(request), requestId: request.id };
}

function keyRecord({ config }: Context, key: Key, usageCount: number): Static<typeof KeyRecord> {
  const { perMinute, perDay } = quotaOf(config, isTier(key.tier) ? key.tier : 'standard');
  return {
    id: key.id,
    name: key.name,
    keyPrefix: `${keyPrefix}${key.start}…`,
    scopes: studioScopesOf(key),
    madeBy: key.made_by,
    usageCount,
    rateLimitTier: key.tier,
    rateLimitPerMinute: perMinute,
    rateLimitPerDay: perDay,
    allowedIps: key.allowed_ips.length > 0 ? [...key.allowed_ips] : null,
    createdAt: key.created_at.toISOString(),
    expiresAt: key.expires_at?.toISOString() ?? null,
    revokedAt: key.revoked_at?.toISOString() ?? null,
    lastUsedAt: key.last_used_at?.toISOString() ?? null,
  };
}
