import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { Persona, personasOf } from './personas.ts';

// the instructions to providers are the operator's own
const { instructions: _private, ...shown } = Persona.properties;

/** Lists the personas that can speak in films. */
export const personaRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // a file that is not right stops the start, and not the first request
  personasOf(context);

  app.get(
    '/personas',
    {
      config: { access: 'public', anyOrigin: true },
      schema: {
        tags: ['platform'],
        summary: 'List personas',
        description: 'Their ids are those of `POST /api/v2/personas/{id}/video`.',
        operationId: 'listPersonas',
        response: {
          200: Type.Object({
            object: Type.Literal('list'),
            data: Type.Array(Type.Object(shown, { description: 'A speaker in films' })),
          }),
        },
      },
    },
    async () => ({
      object: 'list' as const,
      data: personasOf(context).map(({ instructions: _own, ...persona }) => persona),
    }),
  );
};
