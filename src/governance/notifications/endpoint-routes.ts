import { randomUUIDv7 } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { assertMayRead, mayReadWords } from '#src/http/queues/may-use-queues.ts';
import { clientGone } from '#src/http/request/client-gone.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { OptionalText } from '#src/lib/validation/schema-parts.ts';
import type { Context } from '#src/system/context.ts';
import {
  changeEndpoint,
  createEndpoint,
  MOST_ENDPOINTS,
  removeEndpoint,
  rotateSecret,
} from './endpoints/change-endpoint.ts';
import {
  changeOf,
  EndpointBody,
  EndpointChange,
  EndpointView,
  EndpointWithSecret,
  endpointView,
  wishOf,
} from './endpoints/endpoint-body.ts';
import { listEndpoints, ownEndpoint } from './endpoints/endpoint-row.ts';
import { endpointSecret } from './endpoints/endpoint-secret.ts';
import { seesAddresses } from './endpoints/shown-address.ts';
import { bodyOf, pageOf } from './outbox/event.ts';
import { attemptDelivery } from './send/send.ts';

const Params = Type.Object({ id: Type.String({ format: 'uuid', description: 'The endpoint' }) });

const TestAnswer = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the receiver took the message' }),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Status of its answer; null where there was none',
    }),
    error: OptionalText('Why it was not taken'),
    took_ms: Type.Integer({ minimum: 0, description: 'Time of the exchange' }),
    answer: Type.String({
      description: 'First 500 characters of its answer; empty for an origin that operators allow',
    }),
  },
  { title: 'WebhookTest', description: 'What came back' },
);

const tags = ['notifications'];
const config = { scope: 'jobs.manage' } as const;
const readWords = `${mayReadWords} Addresses are whole for callers with \`jobs.manage\` alone.`;

/** Checks whether a caller may change endpoints: such a one is shown their addresses. */

/** Endpoints that are notified of events: made, changed, tested, removed. */
export const endpointRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // what Postgres would keep as another text, or not at all
  app.addHook('preHandler', async ({ body }) => assertStorable(body));
  app.addSchema(EndpointView);
  app.addSchema(EndpointWithSecret);

  app.get(
    '/v1/webhook-endpoints',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'List your endpoints',
        description: readWords,
        operationId: 'listWebhookEndpoints',
        response: {
          200: Type.Object({ data: Type.Array(Type.Ref('WebhookEndpoint'), { description: 'Oldest first' }) }),
        },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const found = await listEndpoints(context, principal.owner);
      return { data: found.map((endpoint) => endpointView(endpoint, seesAddresses(principal))) };
    },
  );

  app.post(
    '/v1/webhook-endpoints',
    {
      config,
      schema: {
        tags,
        summary: 'Make an endpoint',
        description: `It is notified of what happens from now on. At most ${MOST_ENDPOINTS} to one owner. Its secret is shown once.`,
        operationId: 'createWebhookEndpoint',
        body: EndpointBody,
        response: { 201: Type.Ref('WebhookEndpointWithSecret') },
      },
    },
    async (request, reply) => {
      const endpoint = await createEndpoint(context, principalOf(request), wishOf(request.body));
      return await reply
        .code(201)
        .send({ ...endpointView(endpoint, true), secret: await endpointSecret(context, endpoint) });
    },
  );

  app.get(
    '/v1/webhook-endpoints/:id',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'Read an endpoint',
        description: readWords,
        operationId: 'readWebhookEndpoint',
        params: Params,
        response: { 200: Type.Ref('WebhookEndpoint') },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      return endpointView(await ownEndpoint(context, principal.owner, request.params.id), seesAddresses(principal));
    },
  );

  app.patch(
    '/v1/webhook-endpoints/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change an endpoint',
        description: 'What is left out stays. Enabled again, it is notified of what happens from then on.',
        operationId: 'changeWebhookEndpoint',
        params: Params,
        body: EndpointChange,
        response: { 200: Type.Ref('WebhookEndpoint') },
      },
    },
    async (request) =>
      endpointView(
        await changeEndpoint(context, principalOf(request), request.params.id, changeOf(request.body)),
        true,
      ),
  );

  app.delete(
    '/v1/webhook-endpoints/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove an endpoint with its deliveries',
        operationId: 'removeWebhookEndpoint',
        params: Params,
        response: { 204: Type.Null({ description: 'It is gone' }) },
      },
    },
    async (request, reply) => {
      await removeEndpoint(context, principalOf(request), request.params.id);
      return await reply.code(204).send(null);
    },
  );

  app.post(
    '/v1/webhook-endpoints/:id/rotate-secret',
    {
      config,
      schema: {
        tags,
        summary: 'Give an endpoint a new secret',
        description: 'It is shown once. Messages are signed with the one before as well for 24 hours.',
        operationId: 'rotateWebhookSecret',
        params: Params,
        response: { 200: Type.Ref('WebhookEndpointWithSecret') },
      },
    },
    async (request) => {
      const endpoint = await rotateSecret(context, principalOf(request), request.params.id);
      return { ...endpointView(endpoint, true), secret: await endpointSecret(context, endpoint) };
    },
  );

  app.post(
    '/v1/webhook-endpoints/:id/test',
    {
      config,
      schema: {
        tags,
        summary: 'Send an endpoint a message now',
        description:
          'Answers what came back. It is one attempt, of type `endpoint.test`; also of one that is disabled.',
        operationId: 'testWebhookEndpoint',
        params: Params,
        response: { 200: TestAnswer },
      },
    },
    async (request, reply) => {
      const { owner } = principalOf(request);
      const endpoint = await ownEndpoint(context, owner, request.params.id);
      const { id, title, url } = endpoint;
      const data = { id, title, owner, url: pageOf(context.config, '/notifications') };
      const body = bodyOf({ type: 'endpoint.test', at: new Date(), data });
      const message = { id: randomUUIDv7(), body };
      const attempt = await attemptDelivery(context, endpoint, message, clientGone(reply));
      // an origin of the operator’s own network says nothing to the holder of a key
      const isOpen = !context.config.PLATFORM_WEBHOOK_ORIGINS.includes(URL.parse(url)?.origin ?? '');
      return {
        delivered: attempt.error === null,
        status: attempt.status,
        error: attempt.error,
        took_ms: attempt.tookMs,
        answer: isOpen && url.startsWith('https:') ? attempt.answer : '',
      };
    },
  );
};
