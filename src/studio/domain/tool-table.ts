import type { StudioScope } from './words.ts';

type Stage = 'catalog' | 'planning' | 'execution_gate' | 'operator';
type Freshness = 'catalog' | 'runtime' | 'policy';

/** A tool as the manifest lists it, section 4 of the studio document. */
export interface ToolRow {
  readonly name: string;
  readonly writesState: boolean;
  readonly stage: Stage;
  /** Scope that a key must have. */
  readonly scope: StudioScope;
  readonly purpose: string;
  readonly resources: readonly string[];
}

export interface ResourceRow {
  readonly uri: string;
  readonly freshness: Freshness;
  readonly description: string;
}

const at = (...paths: readonly string[]) => paths.map((path) => `studio://${path}`);

export const toolTable = [
  {
    name: 'studio_explore',
    writesState: false,
    stage: 'catalog',
    scope: 'studio.read',
    purpose: 'browse providers, workflows, assets, jobs, plans, approvals, metrics, API surfaces',
    resources: at('providers/catalog', 'workflows/index', 'assets/reel', 'api/surface'),
  },
  {
    name: 'studio_brief',
    writesState: true,
    stage: 'planning',
    scope: 'studio.brief',
    purpose: 'create a structured brief without calling media providers',
    resources: at('providers/catalog', 'governance/policy'),
  },
  {
    name: 'studio_plan',
    writesState: true,
    stage: 'planning',
    scope: 'studio.plan',
    purpose: 'create a costed provider route and approval boundary',
    resources: at('providers/catalog', 'capabilities/media', 'governance/policy', 'plans/index'),
  },
  {
    name: 'studio_render',
    writesState: true,
    stage: 'execution_gate',
    scope: 'studio.render',
    purpose: 'prepare or queue a governed render job',
    resources: at('plans/{id}', 'approvals/index', 'governance/policy', 'jobs/index'),
  },
  {
    name: 'studio_publish',
    writesState: true,
    stage: 'execution_gate',
    scope: 'studio.publish',
    purpose: 'prepare a publishing handoff with approval gates',
    resources: at('assets/reel', 'approvals/index', 'governance/policy'),
  },
  {
    name: 'studio_analyze',
    writesState: false,
    stage: 'catalog',
    scope: 'studio.read',
    purpose: 'summarize provider posture, approval queue, spend risk, publishing readiness, asset strategy',
    resources: at('observability/current', 'providers/catalog', 'jobs/index', 'approvals/index'),
  },
  {
    name: 'studio_operate',
    writesState: true,
    stage: 'operator',
    scope: 'studio.plan',
    purpose: 'bounded operator actions',
    resources: at('jobs/index', 'jobs/{id}', 'plans/index', 'plans/{id}', 'governance/policy'),
  },
] as const satisfies readonly ToolRow[];

export const resourceTable = [
  {
    uri: 'studio://providers/catalog',
    freshness: 'catalog',
    description: 'Providers: what they can do, for how much, and how they are',
  },
  { uri: 'studio://capabilities/media', freshness: 'catalog', description: 'Capabilities, and the providers of each' },
  { uri: 'studio://workflows/index', freshness: 'catalog', description: 'From brief to package, for each mode' },
  { uri: 'studio://assets/reel', freshness: 'catalog', description: 'The newest assets of yours' },
  { uri: 'studio://jobs/index', freshness: 'runtime', description: 'The newest jobs of yours' },
  { uri: 'studio://jobs/{id}', freshness: 'runtime', description: 'A job of yours, with the calls it has made' },
  { uri: 'studio://plans/index', freshness: 'runtime', description: 'The newest plans of yours' },
  { uri: 'studio://plans/{id}', freshness: 'runtime', description: 'A plan of yours' },
  { uri: 'studio://approvals/index', freshness: 'runtime', description: 'The newest approvals of yours' },
  {
    uri: 'studio://observability/current',
    freshness: 'runtime',
    description: 'Records of your work: projects, jobs, approvals, calls of tools',
  },
  { uri: 'studio://governance/policy', freshness: 'policy', description: 'The doctrine and its rules' },
  { uri: 'studio://api/surface', freshness: 'policy', description: 'Routes, tools and resources' },
] as const satisfies readonly ResourceRow[];

export type StudioUri = (typeof resourceTable)[number]['uri'];

function counted<Row, Value extends string>(rows: readonly Row[], valueOf: (row: Row) => Value): Record<Value, number> {
  const counts = {} as Record<Value, number>;
  for (const row of rows) counts[valueOf(row)] = (counts[valueOf(row)] ?? 0) + 1;
  return counts;
}

/** Number of tools of each kind, as the manifest sums them up. */
export const toolSummary = {
  toolCount: toolTable.length,
  resourceCount: resourceTable.length,
  writesStateToolCount: toolTable.filter(({ writesState }) => writesState).length,
  stageCounts: counted<ToolRow, Stage>(toolTable, ({ stage }) => stage),
  freshnessCounts: counted<ResourceRow, Freshness>(resourceTable, ({ freshness }) => freshness),
};
