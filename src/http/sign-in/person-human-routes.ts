import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { challengePerson, personOf, provePerson } from '#src/access/humans/prove-person.ts';
import { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { refuseOtherOrigins } from '#src/http/edge/cors.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Context } from '#src/system/context.ts';

const tags = ['people'];

const Challenge = Type.Object({
  challengeId: Type.String({ format: 'uuid' }),
  body: Type.Record(Type.String(), Type.Unsafe<string | number | null>({}), {
    description:
      'Statement that the proof agrees to: who is signed in where, a nonce and an expiry; its purpose is `person`',
  }),
  sha256: Type.String({ description: 'Message that the proof is made over; compute it yourself, and compare' }),
  expiresAt: Type.String({ format: 'date-time', description: 'When it can be answered no more' }),
});

const Proof = Type.Object(
  { challengeId: Type.String({ format: 'uuid' }), proof: SemaphoreProof },
  { additionalProperties: false },
);

/** Routes by which a signed-in person becomes known as the verified human they are. */
export const personHumanRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  refuseOtherOrigins(app);
  app.post(
    '/auth/human/challenge',
    {
      schema: {
        tags,
        summary: 'Ask for what a human proves over to stand behind your sign-in',
        description: 'Five minutes, once. Only for a signed-in person.',
        operationId: 'challengePerson',
        body: Type.Union([Type.Object({}, { additionalProperties: false }), Type.Null()]),
        response: { 201: Challenge },
      },
    },
    async (request, reply) => {
      const { id, body, sha256, expiresAt } = await challengePerson(context, personOf(principalOf(request).session));
      return await reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ challengeId: id, body, sha256, expiresAt: expiresAt.toISOString() });
    },
  );

  app.post(
    '/auth/human',
    {
      bodyLimit: 32_768,
      // the proof is the credential: it is made where the identity is, which is no browser
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Stand behind a sign-in, with a proof of personhood over its challenge',
        description: 'The person is known as this human from then on, and as no other.',
        operationId: 'provePerson',
        security: [],
        body: Proof,
        response: {
          200: Type.Object({
            email: Type.String({ description: 'E-mail address of the person who is now known as this human' }),
          }),
        },
      },
    },
    async (request) => ({ email: await provePerson(context, request.body) }),
  );
};
