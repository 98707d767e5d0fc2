import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { AnalyzeInput, ExploreInput } from '#src/studio/edge/inputs.ts';
import { routeEnvelope } from '#src/studio/plan/brief-routes.ts';
import type { Context } from '#src/system/context.ts';
import { analyze } from './analyze-tool.ts';
import { explore } from './explore.ts';

const tags = ['studio'];
const seen = (description: string) => ({ 200: Type.Ref('StudioEnvelope', { description }) });

/** The two read-only tools, for clients of HTTP: pages, and scripts. */
export const lookRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/explore',
    {
      config: { scope: 'studio.read', capability: 'studio.explore' },
      schema: {
        tags,
        summary: 'Look through what there is',
        description:
          'Answers as `studio_explore`. Providers are shown with the names of their credentials, never values.',
        operationId: 'exploreStudio',
        querystring: ExploreInput,
        response: seen('`items`, in `output`'),
      },
    },
    async (request) => routeEnvelope('studio_explore', await explore(context, principalOf(request), request.query)),
  );

  app.get(
    '/analyze',
    {
      config: { scope: 'studio.read', capability: 'studio.analyze' },
      schema: {
        tags,
        summary: 'Read figures of your own work',
        description: 'Answers as `studio_analyze`: from records, nothing estimated.',
        operationId: 'analyzeStudio',
        querystring: AnalyzeInput,
        response: seen('`figures` and `findings`, in `output`'),
      },
    },
    async (request) => routeEnvelope('studio_analyze', await analyze(context, principalOf(request), request.query)),
  );
};
