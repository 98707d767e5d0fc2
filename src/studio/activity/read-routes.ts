import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { AppError } from '#src/lib/errors.ts';
import { listAssets, readAsset } from '#src/providers/assets/assets.ts';
import { assetView, linkedAsset } from '#src/studio/model/asset-view.ts';
import { studioJobView } from '#src/studio/model/job-view.ts';
import { withCalls } from '#src/studio/model/plan-assets.ts';
import { listBriefs, listPlans, readBrief, readPlan, readStudioJob } from '#src/studio/model/store.ts';
import { briefView } from '#src/studio/plan/create-brief.ts';
import { planView } from '#src/studio/plan/make-plan.ts';
import type { Context } from '#src/system/context.ts';
import { listStudioJobs } from './recent-work.ts';

interface Page {
  readonly limit: number;
  readonly before: string | null;
  /** The id that {@link Readable.within} names; null for all of the owner's. */
  readonly of: string | null;
}

type View = Readonly<Record<string, unknown>> & { readonly id: string };

/** Kind of object that can be listed and read, by the name of its path. */
interface Readable {
  /** One of them, as the documentation says it. */
  readonly one: string;
  /** Query parameter that narrows the list. */
  readonly within?: { readonly name: string; readonly description: string };
  /** Reads one entry more than the page holds where there is more. */
  readonly list: (context: Context, owner: string, page: Page) => Promise<readonly View[]>;
  readonly read: (context: Context, owner: string, id: string) => Promise<View | null>;
}

const readables: Readonly<Record<string, Readable>> = {
  briefs: {
    one: 'brief',
    list: async (context, owner, { limit, before }) => (await listBriefs(context, owner, limit, before)).map(briefView),
    read: async (context, owner, id) => {
      const brief = await readBrief(context, id, owner);
      return brief && briefView(brief);
    },
  },
  plans: {
    one: 'plan',
    within: { name: 'brief', description: 'Only plans of this brief' },
    list: async (context, owner, { limit, before, of }) =>
      (await listPlans(context, owner, limit, { before, brief: of })).map(planView),
    read: async (context, owner, id) => {
      const plan = await readPlan(context, id, owner);
      return plan && planView(plan);
    },
  },
  jobs: {
    one: 'job',
    within: { name: 'plan', description: 'Only jobs that carry out this plan' },
    list: async (context, owner, { limit, before, of }) =>
      (await listStudioJobs(context, owner, limit, { before, plan: of })).map(studioJobView),
    read: async (context, owner, id) => {
      const known = await readStudioJob(context, id, owner);
      const job = known && (await readJob(context, known.id));
      return job && { ...studioJobView(job), planId: known.plan };
    },
  },
  assets: {
    one: 'asset',
    within: { name: 'job', description: 'Only what this job and the calls it made have made' },
    list: async (context, owner, { limit, before, of }) => {
      const jobs = of === null ? undefined : await withCalls(context, of);
      const filter = { owner, limit, ...(before !== null && { before }), ...(jobs && { jobs }) };
      return (await listAssets(context, filter)).map(assetView);
    },
    read: async (context, owner, id) => {
      const asset = await readAsset(context, id, owner);
      return asset && linkedAsset(context, asset);
    },
  },
};

const Query = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most of them' }),
  cursor: Type.Optional(Type.String({ format: 'uuid', description: '`nextCursor` of the page before' })),
});

function queryOf(within: Readable['within']) {
  if (!within) return Query;
  const { name, description } = within;
  return Type.Object({ ...Query.properties, [name]: Type.Optional(Type.String({ format: 'uuid', description })) });
}

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 160 }) });
const Item = Type.Unsafe<View>({
  type: 'object',
  properties: { id: { type: 'string', description: 'Names it' } },
  additionalProperties: true,
  required: ['id'],
});

/** Lists of what an owner has, newest first, and each of it by its id. */
export const readRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  for (const [name, { one, within, list, read }] of Object.entries(readables)) {
    const title = `${one[0]?.toUpperCase()}${one.slice(1)}`;
    const config = { scope: 'studio.read', capability: `studio.${name}.read` } as const;
    app.get(
      `/${name}`,
      {
        config,
        schema: {
          tags: ['studio'],
          summary: `List your ${name}, newest first`,
          operationId: `listStudio${title}s`,
          querystring: queryOf(within),
          response: {
            200: Type.Object(
              {
                [name]: Type.Array(Item),
                nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' }),
              },
              { additionalProperties: false },
            ),
          },
        },
      },
      async (request) => {
        const { limit, cursor = null, ...rest } = request.query;
        const of = within ? ((rest as Readonly<Record<string, string | undefined>>)[within.name] ?? null) : null;
        const found = await list(context, principalOf(request).owner, { limit: limit + 1, before: cursor, of });
        const page = found.slice(0, limit);
        return { [name]: page, nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
      },
    );

    app.get(
      `/${name}/:id`,
      {
        config,
        schema: {
          tags: ['studio'],
          summary: `Read ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one} of yours`,
          operationId: `readStudio${title}`,
          params: Params,
          response: { 200: Item },
        },
      },
      async (request) => {
        const { id } = request.params;
        const found = await read(context, principalOf(request).owner, id);
        if (found) return found;
        throw new AppError('not_found', `expected the id of a ${one} of yours, got ${JSON.stringify(id)}.`, {
          field: 'id',
        });
      },
    );
  }
};
