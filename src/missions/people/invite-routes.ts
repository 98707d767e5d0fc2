import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { createInvite, withdrawInvite } from '#src/access/humans/invites.ts';
import { removeHuman } from '#src/access/humans/remove-human.ts';
import { type HumanRow, selectHumans } from '#src/access/humans/store/human-store.ts';
import { type InviteRow, selectOpenInvites } from '#src/access/humans/store/invite-store.ts';
import { assertGrantable } from '#src/access/keys/grants.ts';
import { missionScopes } from '#src/access/keys/keys.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import type { Context } from '#src/system/context.ts';
import { HumanParams, HumanView, InviteAnswer, InviteParams, InviteRequest, InviteView } from './human-schemas.ts';

const config = { operator: true } as const;
const tags = ['humans'];

/** Routes by which operators manage humans: invite, withdraw an invite, list, remove. */
export const inviteRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.post(
    '/api/v1/humans/invites',
    {
      config,
      schema: {
        tags,
        summary: 'Invite one person (operators)',
        description:
          'The code is in this answer alone. Hand it over outside of this system, to a person you know: that is what it vouches for.',
        operationId: 'inviteHuman',
        body: InviteRequest,
        response: { 201: InviteAnswer },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      assertGrantable(principal, { scopes: request.body.scopes ?? missionScopes });
      const { invite, code } = await createInvite(context, { ...request.body, createdBy: principal.owner });
      const { id, label, scopes, expires_at } = invite;
      return await reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ id, code, label, scopes, expiresAt: expires_at.toISOString() });
    },
  );

  app.get(
    '/api/v1/humans/invites',
    {
      config,
      schema: {
        tags,
        summary: 'List invites that can still be used (operators)',
        operationId: 'listInvites',
        response: {
          200: Type.Object({ data: Type.Array(InviteView, { description: 'Oldest first, without codes' }) }),
        },
      },
    },
    async () => ({ data: (await selectOpenInvites(context.db)).map(inviteView) }),
  );

  app.delete(
    '/api/v1/humans/invites/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Withdraw an unused invite (operators)',
        operationId: 'withdrawInvite',
        params: InviteParams,
        response: { 200: InviteView },
      },
    },
    async (request) => inviteView(await withdrawInvite(context, request.params.id)),
  );

  app.get(
    '/api/v1/humans',
    {
      config,
      schema: {
        tags,
        summary: 'List humans (operators)',
        operationId: 'listHumans',
        response: { 200: Type.Object({ data: Type.Array(HumanView, { description: 'Oldest first' }) }) },
      },
    },
    async () => ({ data: (await selectHumans(context.db)).map(humanView) }),
  );

  app.delete(
    '/api/v1/humans/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove a human and revoke all their keys, for good (operators)',
        operationId: 'removeHuman',
        params: HumanParams,
        response: { 200: Type.Object({ id: Type.String(), keysRevoked: Type.Integer() }) },
      },
    },
    async (request) => {
      const { keys } = await removeHuman(context, request.params.id);
      return { id: request.params.id, keysRevoked: keys.length };
    },
  );
};

function inviteView({ id, label, scopes, tier, created_by, created_at, expires_at }: InviteRow) {
  return {
    id,
    label,
    scopes,
    tier,
    createdBy: created_by,
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
  };
}

function humanView(human: HumanRow) {
  return {
    id: hexOf(human.nullifier),
    provider: human.provider,
    assurance: human.assurance,
    label: human.label,
    scopes: human.scopes,
    tier: human.tier,
    createdAt: human.created_at.toISOString(),
    removedAt: human.revoked_at?.toISOString() ?? null,
  };
}
