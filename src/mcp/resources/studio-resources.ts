import { assertScope } from '#src/access/keys/grants.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import type { Principal } from '#src/lib/principal.ts';
import { callerOf } from '#src/mcp/model/caller.ts';
import type { McpResource } from '#src/mcp/model/resource.ts';
import { monitoring } from '#src/studio/activity/monitoring.ts';
import { listStudioJobs } from '#src/studio/activity/recent-work.ts';
import { explore } from '#src/studio/discovery/explore.ts';
import { policy } from '#src/studio/discovery/manifest.ts';
import { routeTable } from '#src/studio/domain/route-table.ts';
import { resourceTable, type StudioUri, toolTable } from '#src/studio/domain/tool-table.ts';
import { envelopeOf, type StudioTool } from '#src/studio/edge/envelope.ts';
import type { ExploreInput } from '#src/studio/edge/inputs.ts';
import { studioJobView } from '#src/studio/model/job-view.ts';
import { capabilityViews } from '#src/studio/model/provider-views.ts';
import { listPlans, readPlan, readStudioJob } from '#src/studio/model/store.ts';
import { planView } from '#src/studio/plan/make-plan.ts';
import type { Context } from '#src/system/context.ts';

const mimeType = 'application/json';
/** Number of the caller's own resources of a kind that a list names. */
const LISTED = 50;

type Read = (context: Context, principal: Principal, id: string) => Promise<object | null>;

const listed =
  (mode: ExploreInput['mode']): Read =>
  async (context, principal) =>
    (await explore(context, principal, { mode, limit: 100 })).output;

/** Readers by address; null where the caller has no such thing. */
const readers: Readonly<Record<StudioUri, Read>> = {
  'studio://providers/catalog': listed('providers'),
  'studio://capabilities/media': async (context) => ({ capabilities: await capabilityViews(context) }),
  'studio://workflows/index': listed('workflows'),
  'studio://assets/reel': listed('assets'),
  'studio://jobs/index': listed('jobs'),
  'studio://jobs/{id}': async (context, { owner }, id) => {
    const own = await readStudioJob(context, id, owner);
    const job = own && (await readJob(context, id));
    return job && { ...studioJobView(job), planId: own.plan, parentId: own.parent };
  },
  'studio://plans/index': listed('plans'),
  'studio://plans/{id}': async (context, { owner }, id) => {
    const plan = await readPlan(context, id, owner);
    return plan && planView(plan);
  },
  'studio://approvals/index': listed('approvals'),
  'studio://observability/current': async (context, { owner }) => (await monitoring(context, owner)).output,
  'studio://governance/policy': async () => policy(),
  'studio://api/surface': async () => ({ routes: routeTable, tools: toolTable, resources: resourceTable }),
};

/** The tool whose answers what is read belongs to, where it is not exploring. */
const toolOf: Partial<Record<StudioUri, StudioTool>> = {
  'studio://observability/current': 'studio_analyze',
  'studio://governance/policy': 'studio_operate',
};

/** Lists of the caller's own resources, by template. */
const lists: Partial<
  Record<StudioUri, (context: Context, owner: string) => Promise<readonly { readonly id: string }[]>>
> = {
  'studio://jobs/{id}': async (context, owner) => await listStudioJobs(context, owner, LISTED),
  'studio://plans/{id}': async (context, owner) => await listPlans(context, owner, LISTED),
};

/** The twelve resources of the studio: the caller's own, as they are now, each in the envelope of answers. */
export const studioResources: readonly McpResource[] = resourceTable.map(
  ({ uri, description, freshness }): McpResource => ({
    uri,
    title: titleOf(uri),
    description: `${description} (${freshness})`,
    subscribable: true,
    register: (server, { context }, { ResourceNotFoundError, ResourceTemplate, requireScopes }) => {
      const name = titleOf(uri);
      const about = { title: name, description: `${description} (${freshness})`, mimeType };
      const scopeChallenge = requireScopes('studio.read');
      const read = async (href: string, principal: Principal, id: string) => {
        assertScope(principal, 'studio.read');
        const found = await readers[uri](context, principal, id);
        if (!found) throw new ResourceNotFoundError(href, `expected the id of something of yours, got ${id}.`);
        const envelope = envelopeOf(toolOf[uri] ?? 'studio_explore', { output: { ...found }, resources: [href] });
        return { contents: [{ uri: href, mimeType, text: JSON.stringify(envelope) }] };
      };
      const list = lists[uri];
      if (!list) {
        server.registerResource(name, uri, { ...about, scopeChallenge }, async ({ href }, call) =>
          read(href, callerOf(call).principal, ''),
        );
        return;
      }
      const template = new ResourceTemplate(uri, {
        list: async (call) => {
          const { principal } = callerOf(call);
          if (!principal.scopes.includes('studio.read')) return { resources: [] };
          const own = await list(context, principal.owner);
          return {
            resources: own.map(({ id }) => ({
              uri: uri.replace('{id}', id),
              name: name.replace('{id}', id),
              mimeType,
            })),
          };
        },
      });
      server.registerResource(name, template, { ...about, scopeChallenge }, async ({ href }, { id }, call) =>
        read(href, callerOf(call).principal, String(id)),
      );
    },
  }),
);

function titleOf(uri: StudioUri): string {
  return uri.slice('studio://'.length);
}
