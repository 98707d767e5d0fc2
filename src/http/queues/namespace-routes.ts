import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { listNamespaces } from '#src/jobs/registry/namespaces.ts';
import { Count, Time } from '#src/lib/validation/schema-parts.ts';
import type { Context } from '#src/system/context.ts';
import { assertMayRead, mayReadWords } from './may-use-queues.ts';

const NamespaceView = Type.Object(
  {
    name: Type.String({ description: 'First part of the names of its queues', examples: ['acme'] }),
    created_at: Time('When its first queue was registered'),
    queues: Count('Number of queues in it'),
  },
  { title: 'Namespace', description: 'A namespace of queues, which belongs to one owner' },
);

const NamespaceList = Type.Object({
  data: Type.Array(NamespaceView, { description: 'Namespaces of the caller’s owner, by name' }),
});

/** Routes for the namespaces of the caller's owner. */
export const namespaceRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/v1/namespaces',
    {
      onRequest: assertMayRead,
      schema: {
        tags: ['queues'],
        summary: 'List your namespaces of queues',
        description: `A namespace is the first part of a queue's name. It belongs to the owner who registers a queue in it first. ${mayReadWords}`,
        operationId: 'listNamespaces',
        response: { 200: NamespaceList },
      },
    },
    async (request) => {
      const found = await listNamespaces(context, principalOf(request).owner);
      return {
        data: found.map(({ name, createdAt, queues }) => ({ name, created_at: createdAt.toISOString(), queues })),
      };
    },
  );
};
