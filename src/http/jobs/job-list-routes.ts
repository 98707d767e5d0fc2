import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { jobSummaryView } from '#src/jobs/model/job-view.ts';
import { states } from '#src/jobs/model/states.ts';
import { listJobs } from '#src/jobs/read/read-jobs.ts';
import { searchJobs } from '#src/jobs/read/search-jobs.ts';
import { mayKnow } from '#src/jobs/registry/own-queue.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';

const JobList = Type.Object({
  data: Type.Array(Type.Ref('JobSummary'), { description: 'Newest first, without payloads and results' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Cursor of the next page; null on the last one',
  }),
  searched_to: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description:
      'Set for a search that ended before it had looked at every job: jobs accepted before this time are left to the next page. Null otherwise.',
  }),
});

const JobQuery = Type.Object({
  owner: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only jobs of this owner (operators)' }),
  ),
  queue: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only jobs of this queue (GET /v1/queues lists them)',
      examples: ['studio.render'],
    }),
  ),
  state: Type.Optional(Type.Enum([...states], { type: 'string', description: 'Only jobs in this state' })),
  parent: Type.Optional(Type.String({ format: 'uuid', description: 'Only jobs that this job submitted' })),
  text: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 200,
      description:
        'Only jobs with this text, in whatever case, in their id, Idempotency-Key, error, or payload (of those below 64 KiB in the database). A whole id is found however old its job is; else as many jobs are looked at as two seconds allow.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Jobs per page' }),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the page before' })),
});

/** Lists of jobs, and the search among them. A caller sees its own; an operator sees all. */
export const jobListRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/v1/jobs',
    {
      schema: {
        tags: ['jobs'],
        summary: 'List jobs, newest first, or search them',
        operationId: 'listJobs',
        querystring: JobQuery,
        response: { 200: JobList },
      },
    },
    async (request) => {
      const { text, owner, ...filter } = request.query;
      if (filter.queue !== undefined) await assertQueue(context, principalOf(request), filter.queue);
      const query = { ...filter, owner: ownerOf(principalOf(request), owner) };
      const { jobs, nextCursor, searchedTo } =
        text === undefined
          ? { ...(await listJobs(context, query)), searchedTo: null }
          : await searchJobs(context, { ...query, text: storable(text) });
      return {
        data: jobs.map(jobSummaryView),
        next_cursor: nextCursor,
        searched_to: searchedTo?.toISOString() ?? null,
      };
    },
  );
};

/**
 * Returns the owner whose jobs are listed; null for all owners. @throws AppError `forbidden` for a caller who names an
 * owner and is no operator.
 */
function ownerOf({ owner: self, operator }: Principal, requested: string | undefined): string | null {
  if (operator) return requested ?? null;
  if (requested === undefined) return self;
  throw new AppError(
    'forbidden',
    `expected a key of an operator with owner=${requested}, got one without that flag: leave owner out for your own jobs.`,
    { operator: false, reason: 'operator' },
  );
}

/**
 * @throws AppError `invalid_request` for a queue that does not exist, or that the caller must not know of: its empty list
 *   would say that it is idle.
 */
async function assertQueue(context: Context, { owner, operator }: Principal, name: string): Promise<void> {
  const contract = await registryOf(context).find(name);
  if (contract && mayKnow(context, operator ? null : owner, name)) return;
  throw new AppError('invalid_request', `query.queue: expected a queue (GET /v1/queues lists them), got ${name}.`, {
    field: 'query.queue',
    value: name,
  });
}

/** @throws AppError `invalid_request` for a text that no row can hold, and the database does not take. */
function storable(text: string): string {
  if (!text.includes('\0')) return text;
  throw new AppError('invalid_request', 'query.text: expected text without \\u0000, got one with it.', {
    field: 'query.text',
    value: text,
  });
}
