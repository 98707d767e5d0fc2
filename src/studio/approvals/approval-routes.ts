import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { purposes } from '#src/access/humans/store/challenge-store.ts';
import { approvalPage, approvalSeen } from '#src/governance/approvals/approval-page.ts';
import { type Approval, approvalStates } from '#src/governance/approvals/approval-row.ts';
import { approvalView } from '#src/governance/approvals/approval-view.ts';
import { challengeApproval } from '#src/governance/approvals/challenge-approval.ts';
import { type Decider, decideApproval } from '#src/governance/approvals/decide-approval.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { studioErrorResponse } from '#src/studio/edge/studio-error.ts';
import type { Context } from '#src/system/context.ts';

const tags = ['studio'];
const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 160, description: 'The approval' }) });
const Query = Type.Object({
  status: Type.Optional(Type.Enum([...approvalStates], { type: 'string', description: 'Only those' })),
  subject: Type.Optional(Type.String({ format: 'uuid', description: 'Only those about this plan or asset' })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  cursor: Type.Optional(Type.String({ format: 'uuid', description: '`nextCursor` of the page before' })),
});
const List = Type.Object(
  {
    approvals: Type.Array(Type.Ref('StudioApproval'), { description: 'Newest first' }),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: false },
);
const DecisionInput = Type.Object(
  {
    decision: Type.Enum(['grant', 'decline'], { type: 'string' }),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'For the audit' })),
    challengeId: Type.Optional(Type.String({ format: 'uuid', description: 'The challenge that the proof answers' })),
    proof: Type.Optional(SemaphoreProof),
  },
  { additionalProperties: false },
);
const ChallengeView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  purpose: Type.Enum([...purposes], { type: 'string', description: 'Purpose of the proof' }),
  body: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
  sha256: Type.String({ description: 'Digest that the proof is made over' }),
  expiresAt: Type.String({ format: 'date-time' }),
});

/** Approvals: read by their owner, decided by a signed-in person. */
export const approvalRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/approvals',
    {
      config: { scope: 'studio.read', capability: 'studio.approvals.read' },
      schema: {
        tags,
        summary: 'List approvals',
        operationId: 'listApprovals',
        querystring: Query,
        response: { 200: List },
      },
    },
    async (request) => {
      const { status: state = null, subject, limit, cursor = null } = request.query;
      return await approvalPage(context, principalOf(request), { state, subject, limit, cursor });
    },
  );

  app.get(
    '/approvals/:id',
    {
      config: { scope: 'studio.read', capability: 'studio.approvals.read' },
      schema: {
        tags,
        summary: 'Read an approval: exactly what will happen',
        operationId: 'readApproval',
        params: Params,
        response: { 200: Type.Ref('StudioApproval') },
      },
    },
    async (request) => approvalView(context, await seen(context, principalOf(request), request.params.id)),
  );

  app.post(
    '/approvals/:id/challenge',
    {
      config: { scope: 'studio.read', capability: 'studio.approvals.challenge' },
      schema: {
        tags,
        summary: 'Ask for what a proof of personhood is made over',
        description:
          'For decisions that take one: publishing, voice and likeness. Five minutes. Only for a signed-in person.',
        operationId: 'challengeApproval',
        params: Params,
        body: Type.Union([Type.Object({}, { additionalProperties: false }), Type.Null()]),
        response: { 201: ChallengeView },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const decider = deciderOf(principal);
      const approval = await seen(context, principal, request.params.id);
      const { expiresAt, ...challenge } = await challengeApproval(context, approval, decider);
      return await reply.code(201).send({ ...challenge, expiresAt: expiresAt.toISOString() });
    },
  );

  app.post(
    '/approvals/:id/decision',
    {
      bodyLimit: 32_768,
      config: { scope: 'studio.read', capability: 'studio.approvals.decide' },
      schema: {
        tags,
        summary: 'Decide an approval',
        description: 'Only a signed-in person decides, never a key; once.',
        operationId: 'decideApproval',
        params: Params,
        body: DecisionInput,
        response: {
          200: Type.Ref('StudioApproval'),
          422: studioErrorResponse('The proof of personhood does not hold'),
        },
      },
    },
    async (request) => {
      const decider = deciderOf(principalOf(request));
      const { decision, reason, challengeId, proof } = request.body;
      if ((challengeId === undefined) !== (proof === undefined)) {
        throw new AppError('invalid_request', 'expected challengeId and proof together, or neither, got one of them.', {
          field: 'body',
        });
      }
      const approval = await decideApproval(context, request.params.id, decider, {
        decision,
        ...(reason !== undefined && { reason }),
        ...(challengeId !== undefined && proof !== undefined && { proof: { challengeId, proof } }),
      });
      return approvalView(context, approval);
    },
  );
};

async function seen(context: Context, principal: Principal, id: string): Promise<Approval> {
  const approval = await approvalSeen(context, principal, id);
  if (approval) return approval;
  throw new AppError('not_found', `expected the id of an approval of yours, got ${JSON.stringify(id)}.`, {
    field: 'id',
  });
}

/** @throws AppError `forbidden` for a key: what decides is a person who signed in. */
export function deciderOf({ session, owner, operator, human }: Principal): Decider {
  if (session) return { owner, operator, human, email: session.email, ...session.identity };
  throw new AppError(
    'forbidden',
    'expected a signed-in person: a key never decides an approval. Sign in at /auth/sign-in, and decide there.',
    { reason: 'session' },
  );
}
