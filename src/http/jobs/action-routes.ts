import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { admitWork } from '#src/access/quota.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { showJob } from '#src/http/views/show-job.ts';
import { CHANGED_SHARE, MOST_JOBS, RATE } from '#src/jobs/actions/action.ts';
import type { ActionRow } from '#src/jobs/actions/action-row.ts';
import { beginAction, findPreview } from '#src/jobs/actions/begin-action.ts';
import { previewAction } from '#src/jobs/actions/preview-action.ts';
import { jobPath, jobSummaryView } from '#src/jobs/model/job-view.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { AppError } from '#src/lib/errors.ts';
import { callerName, type Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { ActionBody, ActionPreview, type PreviewBody } from './action-body.ts';
import { assertActs, assertMayAct, selectionOf } from './action-selection.ts';

const QUEUE = 'jobs.act';

/** The route for acting on many jobs: a preview, then a job that does what was previewed. */
export const actionRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // what Postgres would keep as another text, or not at all
  app.addHook('preHandler', async ({ body }) => assertStorable(body));
  app.addSchema(ActionPreview);
  app.post(
    '/v1/jobs/actions',
    {
      onRequest: assertActs,
      schema: {
        tags: ['jobs'],
        summary: 'Act on many jobs: preview, then do it',
        description: `With \`preview\`: answers how many jobs an action would be about, the first of them, and a token. With that token: begins a job that acts on exactly these, at the stated rate; it can be followed and cancelled like any other. A job that moved on meanwhile is skipped. At most ${MOST_JOBS} jobs at once. Needs the scope that asks for such work; \`redrive\`, and jobs of others, a key of an operator.`,
        operationId: 'actOnJobs',
        body: ActionBody,
        response: {
          200: Type.Ref('JobActionPreview', { description: 'The preview' }),
          202: Type.Ref('Job', { description: 'The job that does it; the same one for a token that was used before' }),
        },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { body } = request;
      if ('filter' in body) return await preview(context, principal, body);
      const by = callerName(principal);
      const action = await findPreview(context, body.token, by);
      assertStillMay(principal, action);
      if (action.begunAt === null) await admitWork(context)(principal, QUEUE);
      const { rate = RATE, changed_share: changedShare = CHANGED_SHARE } = body;
      const job = await beginAction(context, action, { principal, by, rate, changedShare });
      return await reply
        .code(202)
        .header('location', jobPath(job.id))
        .send(await showJob(context, job));
    },
  );
};

async function preview(context: Context, principal: Principal, body: PreviewBody): Promise<ActionPreview> {
  const { action, priority = null, filter } = body;
  assertMayAct(principal, action);
  if ((action === 'reprioritise') !== (priority !== null))
    throw new AppError(
      'invalid_request',
      `body.priority: expected one with reprioritise, and none with another action, got ${priority === null ? 'none' : `one with ${action}`}.`,
      { field: 'body.priority' },
    );
  const previewed = await previewAction(context, {
    owner: principal.owner,
    madeBy: callerName(principal),
    action,
    priority,
    selection: await selectionOf(context, principal, action, filter),
    ...(filter.ids && { ids: filter.ids }),
  });
  const { id, jobs, expiresAt } = previewed.action;
  return {
    token: id,
    action,
    priority,
    count: jobs,
    sample: previewed.sample.map(jobSummaryView),
    expires_at: expiresAt.toISOString(),
  };
}

/** The caller's rights may be others than at the preview. @throws AppError `forbidden` */
function assertStillMay(principal: Principal, { action, selection }: ActionRow): void {
  assertMayAct(principal, action);
  if (principal.operator || selection.owner === principal.owner) return;
  throw new AppError(
    'forbidden',
    'expected a key of an operator, got one without that flag: preview the action anew.',
    {
      operator: false,
      reason: 'operator',
    },
  );
}
