import { sql } from 'slonik';
import { Type } from 'typebox';
import { listAssetsOfJobs } from '#src/providers/assets/assets.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { MOST, type TargetScope } from './scope-of.ts';

export interface LineageNode {
  readonly id: string;
  readonly type: 'brief' | 'plan' | 'approval' | 'job' | 'call' | 'asset' | 'receipt';
  readonly label: string;
  readonly status: string;
  readonly at: string;
}

export interface LineageEdge {
  readonly from: string;
  readonly to: string;
  /** Relation of the second to the first. */
  readonly relation: 'planned' | 'asked for' | 'let run' | 'ran' | 'called' | 'made' | 'sealed';
}

type Db = Pick<Context, 'db'>;
interface Graph {
  readonly nodes: readonly LineageNode[];
  readonly edges: readonly LineageEdge[];
}

const Instant = Type.Unsafe<Date>({});
const nullable = Type.Union([Type.String(), Type.Null()]);
const Node = row(
  Type.Object({
    id: Type.String(),
    label: Type.String(),
    status: Type.String(),
    at: Instant,
    from: nullable,
    by: nullable,
  }),
);

/** Everything that came of a brief, a plan or a job, and how: from the brief to the receipts. */
export async function lineage(context: Context, owner: string, scope: TargetScope): Promise<Graph> {
  const jobs = await jobsAndCalls(context, scope.jobs);
  const ids = jobs.nodes.filter(({ type }) => type === 'job').map(({ id }) => id);
  const parts = await Promise.all([
    plans(context, owner, scope),
    approvals(context, owner, scope),
    calls(context, ids),
    assets(context, ids),
    receipts(context, ids),
  ]);
  const nodes = [...parts.slice(0, 2), jobs, ...parts.slice(2)].flatMap((part) => part.nodes);
  const known = new Set(nodes.map(({ id }) => id));
  const edges = [...parts, jobs].flatMap((part) => part.edges);
  return { nodes, edges: edges.filter(({ from, to }) => known.has(from) && known.has(to)) };
}

export async function inspectLineage(context: Context, owner: string, scope: TargetScope): Promise<Outcome> {
  const { nodes, edges } = await lineage(context, owner, scope);
  return {
    output: {
      nodes,
      edges,
      counts: Object.fromEntries(
        Map.groupBy(nodes, ({ type }) => type)
          .entries()
          .map(([type, of]) => [type, of.length]),
      ),
    },
    warnings: scope.jobs.length >= MOST ? [`Only the newest ${MOST} jobs are shown.`] : [],
    resources: scope.plans.slice(0, 10).map((id) => `studio://plans/${id}`),
  };
}

async function plans({ db }: Db, owner: string, { brief, plans: ids }: TargetScope): Promise<Graph> {
  const briefs = await db.any(sql.type(Node)`
    select id, coalesce(brief ->> 'title', left(brief ->> 'prompt', 80)) as label, 'recorded' as status, created_at as at,
      null as from, null as by
    from studio_briefs where owner = ${owner} and (id = ${brief}::uuid or id in (
      select brief from studio_plans where id = any(${sql.array([...ids], 'uuid')})))`);
  const rows = await db.any(sql.type(Node)`
    select id, plan ->> 'routePolicy' as label, 'planned' as status, created_at as at, brief as from, null as by
    from studio_plans where owner = ${owner} and id = any(${sql.array([...ids], 'uuid')}) order by id`);
  return join(graph('brief', briefs, 'planned'), graph('plan', rows, 'planned'));
}

async function approvals({ db }: Db, owner: string, { plans: ids, jobs }: TargetScope): Promise<Graph> {
  const rows = await db.any(sql.type(Node)`
    select id, kind as label, case when state in ('pending', 'granted') and expires_at <= now() then 'expired' else state end as status,
      created_at as at, subject as from, job as by
    from approvals where owner = ${owner}
      and (subject = any(${sql.array([...ids], 'uuid')}) or job = any(${sql.array([...jobs], 'uuid')})) order by id limit ${MOST}`);
  const letRun = rows.flatMap(({ id, by }) =>
    by === null ? [] : [{ from: id, to: by, relation: 'let run' as const }],
  );
  const { nodes, edges } = graph('approval', rows, 'asked for');
  return { nodes, edges: [...edges, ...letRun] };
}

async function jobsAndCalls({ db }: Db, ids: readonly string[]): Promise<Graph> {
  const rows = await db.any(sql.type(Node)`
    select j.id, j.queue as label, j.state as status, j.created_at as at, coalesce(s.parent, s.plan) as from, null as by
    from studio_jobs s join jobs j on j.id = s.id
    where s.id = any(${sql.array([...ids], 'uuid')}) or s.parent = any(${sql.array([...ids], 'uuid')}) order by j.id`);
  return graph('job', rows, 'ran');
}

async function calls({ db }: Db, ids: readonly string[]): Promise<Graph> {
  const rows = await db.any(sql.type(Node)`
    select job || ' ' || provider as id, provider || ' ' || capability as label, state as status, created_at as at,
      job::text as from, null as by
    from provider_calls where job = any(${sql.array([...ids], 'uuid')}) order by created_at, provider`);
  return graph('call', rows, 'called');
}

async function assets(context: Db, ids: readonly string[]): Promise<Graph> {
  const made = await listAssetsOfJobs(context, ids);
  return graph(
    'asset',
    made.map(({ id, name, kind, job, createdAt, erasedAt }) => ({
      id,
      label: `${name} (${kind})`,
      status: erasedAt ? 'erased' : 'kept',
      at: createdAt,
      from: job,
      by: null,
    })),
    'made',
  );
}

/** Reads the receipts of these jobs. A receipt has the id of its job; a prefix tells the two apart here. */
async function receipts({ db }: Db, ids: readonly string[]): Promise<Graph> {
  const rows = await db.any(sql.type(Node)`
    select 'receipt ' || id as id, kind as label, 'sealed' as status, sealed_at as at, id::text as from, null as by
    from receipts where id = any(${sql.array([...ids], 'uuid')}) order by id`);
  return graph('receipt', rows, 'sealed');
}

interface Row extends Pick<LineageNode, 'id' | 'label' | 'status'> {
  readonly at: Date;
  readonly from: string | null;
}

function graph(type: LineageNode['type'], rows: readonly Row[], relation: LineageEdge['relation']): Graph {
  return {
    nodes: rows.map(({ id, label, status, at }) => ({ id, type, label, status, at: at.toISOString() })),
    edges: rows.flatMap(({ id, from }) => (from === null ? [] : [{ from, to: id, relation }])),
  };
}

function join(...graphs: readonly Graph[]): Graph {
  return { nodes: graphs.flatMap(({ nodes }) => nodes), edges: graphs.flatMap(({ edges }) => edges) };
}
