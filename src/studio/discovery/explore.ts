import { listApprovals } from '#src/governance/approvals/approval-row.ts';
import { approvalView } from '#src/governance/approvals/approval-view.ts';
import type { Principal } from '#src/lib/principal.ts';
import { listAssets } from '#src/providers/assets/assets.ts';
import { metricList } from '#src/studio/activity/metric-list.ts';
import { listStudioJobs } from '#src/studio/activity/recent-work.ts';
import { routeTable } from '#src/studio/domain/route-table.ts';
import { resourceTable, toolTable } from '#src/studio/domain/tool-table.ts';
import { workflows } from '#src/studio/domain/workflows.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { ExploreInput } from '#src/studio/edge/inputs.ts';
import { assetView } from '#src/studio/model/asset-view.ts';
import { studioJobView } from '#src/studio/model/job-view.ts';
import { providerViews } from '#src/studio/model/provider-views.ts';
import { capabilitiesOfJobs, listPlans, readPlans } from '#src/studio/model/store.ts';
import { planView } from '#src/studio/plan/make-plan.ts';
import type { Context } from '#src/system/context.ts';

type Mode = ExploreInput['mode'];

/** Most of an owner's entries that a filter looks through; without a filter only the shown entries are read. */
const SCANNED = 500;

/** One thing that can be found. */
interface Item {
  readonly shown: object;
  readonly capabilities: readonly string[];
}

type Lister = (context: Context, owner: string, most: number) => Promise<readonly Item[]>;

const listers: Readonly<Record<Mode, Lister>> = {
  providers: async (context) =>
    (await providerViews(context)).map((shown) => ({
      shown,
      capabilities: shown.capabilities.map(({ capability }) => capability),
    })),
  workflows: async () =>
    workflows.map((shown) => ({ shown, capabilities: shown.calls.map(({ capability }) => capability) })),
  assets: async (context, owner, most) => {
    const assets = await listInPages(most, async (limit, before) =>
      listAssets(context, { owner, limit, ...(before !== undefined && { before }) }),
    );
    return assets.map((asset) => ({
      shown: assetView(asset),
      capabilities: asset.capability ? [asset.capability] : [],
    }));
  },
  jobs: async (context, owner, most) => {
    const jobs = await listStudioJobs(context, owner, most);
    const capabilities = await capabilitiesOfJobs(
      context,
      jobs.map(({ id }) => id),
    );
    return jobs.map((job) => ({ shown: studioJobView(job), capabilities: capabilities.get(job.id) ?? [] }));
  },
  plans: async (context, owner, most) =>
    (await listPlans(context, owner, most)).map((plan) => ({
      shown: planView(plan),
      capabilities: plan.plan.steps.map(({ capability }) => capability),
    })),
  approvals: async (context, owner, most) => {
    const listed = await listApprovals(context, { owner, state: null, before: null, limit: most });
    const approvals = listed.slice(0, most);
    // what is approved is a plan, or a publication, which makes nothing
    const renders = approvals.filter(({ kind }) => kind === 'render').map(({ subject }) => subject);
    const plans = await readPlans(context, owner, renders);
    const capabilities = new Map(plans.map(({ id, plan }) => [id, plan.steps.map((step) => step.capability)]));
    return approvals.map((approval) => ({
      shown: approvalView(context, approval),
      capabilities: capabilities.get(approval.subject) ?? [],
    }));
  },
  metrics: async (context, owner) => (await metricList(context, owner)).map((shown) => ({ shown, capabilities: [] })),
  api: async () => [
    ...routeTable.map((route) => ({
      shown: { kind: 'route', ...route },
      capabilities: route.capability === undefined ? [] : [route.capability],
    })),
    ...toolTable.map((tool) => ({ shown: { kind: 'tool', ...tool }, capabilities: [] })),
    ...resourceTable.map((resource) => ({ shown: { kind: 'resource', ...resource }, capabilities: [] })),
  ],
};

/**
 * Modes that list an owner's own entries: their filtered lists may leave out entries older than the ones looked
 * through.
 */
const owned: ReadonlySet<Mode> = new Set(['assets', 'jobs', 'plans', 'approvals']);

const readable: Readonly<Record<Mode, readonly string[]>> = {
  providers: ['studio://providers/catalog', 'studio://capabilities/media'],
  workflows: ['studio://workflows/index'],
  assets: ['studio://assets/reel'],
  jobs: ['studio://jobs/index'],
  plans: ['studio://plans/index'],
  approvals: ['studio://approvals/index'],
  metrics: ['studio://observability/current'],
  api: ['studio://api/surface'],
};

/** The tool `studio_explore`: what there is, newest first where it is the caller's own. */
export async function explore(
  context: Context,
  { owner }: Pick<Principal, 'owner'>,
  { mode, query, capability, limit = 12 }: ExploreInput,
): Promise<Outcome> {
  const isFiltered = query !== undefined || capability !== undefined;
  const most = isFiltered ? SCANNED : limit + 1;
  const items = await listers[mode](context, owner, most);
  const words = query?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  const found = items.filter(
    ({ shown, capabilities }) =>
      (capability === undefined || capabilities.includes(capability)) && hasWords(shown, words),
  );
  return {
    output: {
      mode,
      ...(query !== undefined && { query }),
      ...(capability !== undefined && { capability }),
      limit,
      count: Math.min(found.length, limit),
      more: found.length > limit,
      items: found.slice(0, limit).map(({ shown }) => shown),
    },
    warnings:
      isFiltered && owned.has(mode) && items.length >= SCANNED
        ? [`Only the newest ${SCANNED} ${mode} were looked through.`]
        : [],
    resources: readable[mode],
  };
}

function hasWords(shown: object, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = JSON.stringify(shown).toLowerCase();
  return words.every((word) => text.includes(word));
}

async function listInPages<T extends { readonly id: string }>(
  most: number,
  page: (limit: number, before: string | undefined) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const all: T[] = [];
  while (all.length < most) {
    const limit = Math.min(100, most - all.length);
    const next = await page(limit, all.at(-1)?.id);
    all.push(...next);
    if (next.length < limit) break;
  }
  return all;
}
