import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { catalogueOf, providerOf } from '#src/providers/catalogue/catalogue-load.ts';
import { secretOf } from '#src/providers/catalogue/credentials.ts';
import type { Context } from '#src/system/context.ts';
import { keepMessage } from './keep-message.ts';
import { verifyWebhook } from './verify-webhook.ts';
import { sameText, webhookToken } from './webhook-address.ts';

/** A message may carry all that was made, as text. */
const BODY_BYTES = 16 * 1_048_576;

const Params = Type.Object({
  provider: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description: 'Id of the provider in the catalogue' }),
  job: Type.String({ format: 'uuid', description: 'The job whose call the message is about' }),
});
const Query = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Token in the address that the provider has',
  }),
});

/** Receives providers' reports on tasks, so that a task whose answer was lost is found again. */
export const taskWebhookRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // read when the API starts, so that a wrong file is reported then
  const catalogue = catalogueOf(context);
  app.post(
    '/v1/providers/:provider/webhook/:job',
    {
      // not limited by address: a provider reports all tasks from a few, and the token is no key that can be guessed
      config: { access: 'public', unlimited: true, rawBody: 'chain' },
      bodyLimit: BODY_BYTES,
      schema: {
        tags: ['providers'],
        summary: 'Tell how a task goes (media providers)',
        description:
          'For providers alone: they get the address with a task and holds a token of its own. Providers of the style `replicate-style` also sign their messages (Standard Webhooks).',
        operationId: 'tellProviderTask',
        security: [],
        params: Params,
        querystring: Query,
        body: Type.Object({}, { additionalProperties: true, description: 'The task, as the provider shows it' }),
        response: { 204: Type.Null({ description: 'It was stored' }) },
      },
      // before anything of the body is read
      preParsing: async ({ params, query }) => {
        const { provider, job } = params;
        // not validated yet
        const token: unknown = query.token;
        const expected = webhookToken(context.config, { id: provider }, job);
        if (typeof token !== 'string' || !sameText(token, expected))
          throw new AppError('forbidden', 'expected the token of this provider and job, got another.', {
            reason: 'token',
          });
      },
    },
    async ({ params, headers, body }, reply) => {
      const provider = providerOf(catalogue, params.provider);
      const bytes = body as unknown as Buffer;
      if (provider.style === 'replicate-style') {
        verifyWebhook(
          {
            id: textOf(headers['webhook-id']),
            timestamp: textOf(headers['webhook-timestamp']),
            signature: textOf(headers['webhook-signature']),
            body: bytes,
          },
          secretOf(provider, 'webhookSecret') ?? '',
        );
      }
      await keepMessage(context, provider, params.job, bytes);
      return await reply.code(204).send(null);
    },
  );
};

const textOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);
