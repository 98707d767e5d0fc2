import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { openGuesses } from '#src/access/guesses.ts';
import { accountScope } from '#src/access/humans/challenges/challenge-message.ts';
import { type Challenge, makeChallenge } from '#src/access/humans/challenges/challenges.ts';
import { inviteCredential, worldIdCredential } from '#src/access/humans/credentials.ts';
import { type Credential, enrol } from '#src/access/humans/enrol.ts';
import { fromBytes } from '#src/access/humans/semaphore/field.ts';
import { selectGroup } from '#src/access/humans/store/group-store.ts';
import { enrolmentRequest, isWorldIdSet, worldIdNonce } from '#src/access/humans/world-id/world-id-request.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { ChallengeAnswer, ChallengeRequest, EnrolAnswer, EnrolRequest, GroupAnswer } from './human-schemas.ts';

const open = { config: { access: 'public' }, bodyLimit: 32_768 } as const;
const common = { tags: ['humans'], security: [] };

/**
 * Routes by which a person becomes a verified human here: a challenge, and a proof of an identity that an invite or
 * World ID lets in.
 */
export const humanRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // a code has 192 random bits; this only keeps the guessing from costing us anything
  const guesses = openGuesses({ ANONYMOUS_PER_MINUTE: Math.min(10, context.config.ANONYMOUS_PER_MINUTE) }, 'invites');

  app.post(
    '/api/v1/humans/challenge',
    {
      ...open,
      schema: {
        ...common,
        summary: 'Ask for a challenge, to enrol or to mint a key',
        operationId: 'makeHumanChallenge',
        body: ChallengeRequest,
        response: { 201: ChallengeAnswer },
      },
    },
    async (request, reply) => {
      const { purpose, commitment, provider = 'operator-invite' } = request.body;
      if ((purpose === 'enrol') !== (commitment !== undefined)) throw misplacedCommitment(purpose);
      if (purpose !== 'enrol' || provider !== 'world-id') {
        const challenge = await makeChallenge(context, { purpose, body: commitment ? { commitment } : {} });
        return await reply.code(201).send(answerOf(challenge));
      }
      if (!isWorldIdSet(context.config)) throw noWorldId();
      const nonces = { unique: worldIdNonce(), session: worldIdNonce() };
      const challenge = await makeChallenge(context, {
        purpose,
        body: { commitment: commitment ?? '', worldIdNonce: nonces.unique, worldIdSessionNonce: nonces.session },
      });
      const worldId = await enrolmentRequest(context.config, challenge, nonces);
      return await reply.code(201).send({ ...answerOf(challenge), worldId });
    },
  );

  app.post(
    '/api/v1/humans/enrol',
    {
      ...open,
      schema: {
        ...common,
        summary: 'Enrol an identity, by an invite or World ID',
        description:
          'The proof is made against the group of your commitment alone. What vouches for you is stated, and never more.',
        operationId: 'enrolHuman',
        body: EnrolRequest,
        response: { 201: EnrolAnswer },
      },
    },
    async (request, reply) => {
      const { challengeId, commitment, proof } = request.body;
      const credential = await credentialOf(request.body, request.ip);
      const human = await enrol(context, { challengeId, commitment, proof, credential });
      return await reply.code(201).send({ human, provider: credential.provider, assurance: credential.assurance });
    },
  );

  app.get(
    '/api/v1/humans/group',
    {
      ...open,
      schema: {
        ...common,
        summary: 'The group that proofs are made against',
        operationId: 'readHumanGroup',
        response: { 200: GroupAnswer },
      },
    },
    async () => {
      const { root, members } = await selectGroup(context.db);
      return {
        root: root && fromBytes(root).toString(),
        depth: 20 as const,
        members: members.map((hex) => BigInt(`0x${hex}`).toString()),
      };
    },
  );

  async function credentialOf(
    { challengeId, invite, worldId, worldIdSession }: Static<typeof EnrolRequest>,
    ip: string,
  ): Promise<Credential> {
    if ((invite === undefined) === (worldId === undefined))
      throw new AppError('invalid_request', 'expected either invite or worldId in the body, got both or neither.', {
        field: 'body',
      });
    if ((worldId === undefined) !== (worldIdSession === undefined))
      throw new AppError(
        'invalid_request',
        'body.worldIdSession: expected the result of createSession together with worldId, got only one of the two.',
        { field: 'body.worldIdSession' },
      );
    if (invite === undefined)
      return await worldIdCredential(context, challengeId, { unique: worldId, session: worldIdSession });
    await guesses.check(ip);
    return await inviteCredential(context, invite).catch(async (error: unknown) => {
      await guesses.count(ip);
      throw error;
    });
  }
};

function answerOf({ id, purpose, body, sha256, expiresAt }: Challenge) {
  return {
    challengeId: id,
    purpose,
    body,
    sha256,
    scope: accountScope.toString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function misplacedCommitment(purpose: string): AppError {
  const message =
    purpose === 'enrol'
      ? 'body.commitment: expected the commitment that will be enrolled, got none.'
      : `body.commitment: expected none for the purpose ${purpose}, got one.`;
  return new AppError('invalid_request', message, { field: 'body.commitment' });
}

function noWorldId(): AppError {
  return new AppError(
    'invalid_request',
    'body.provider: expected operator-invite, got world-id, which is not set up here (WORLD_ID_RP_ID, WORLD_ID_SIGNING_KEY).',
    { field: 'body.provider', value: 'world-id' },
  );
}
