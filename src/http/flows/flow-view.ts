import { sql } from 'slonik';
import Type from 'typebox';
import type { StoredFlow } from '#queues/flows.ts';
import { idleWarning } from '#src/jobs/figures/queue-workers.ts';
import { type NodeRow, readNodes } from '#src/jobs/flows/flow-rows.ts';
import type { FlowOfList } from '#src/jobs/flows/list-flows.ts';
import type { Job, JobSummary } from '#src/jobs/model/job.ts';
import { jobSummaryColumns, JobSummary as SummarySchema } from '#src/jobs/model/job.ts';
import { jobPath } from '#src/jobs/model/job-view.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { FlowSummary, FlowView } from './flow-body.ts';

const jobOfNode = row(Type.Interface([SummarySchema], { node: Type.String(), item: Type.Integer() }));
type JobOfNode = JobSummary & { readonly node: string; readonly item: number };

/** Jobs that say how a node is. */
interface JobsOfNode {
  readonly first?: JobOfNode | undefined;
  /** The last that is stored: where no worker takes it, the node does not go on. */
  readonly last?: JobOfNode | undefined;
  /** The first that failed, once the node has. */
  readonly failed?: JobOfNode | undefined;
}

/** Shows a flow with its nodes, each with the job that says most about it. */
export async function flowView(context: Context, job: Job): Promise<FlowView> {
  const { nodes } = job.payload as StoredFlow;
  const states = new Map((await readNodes(context.db, job.id)).map((node) => [node.name, node]));
  const jobs = await readJobs(context, job.id, [...states.values()]);
  return {
    ...summary(job, job.payload as StoredFlow),
    nodes: await Promise.all(
      nodes.map(async (node) => ({
        name: node.name,
        queue: node.queue,
        version: node.version,
        depends_on: [...node.depends_on],
        on_failure: node.on_failure,
        for_each: node.for_each !== undefined,
        ...(await nodeState(context, states.get(node.name), jobs(node.name))),
      })),
    ),
    result: job.result ?? null,
  };
}

async function readJobs(
  { db }: Context,
  flow: string,
  nodes: readonly NodeRow[],
): Promise<(node: string) => JobsOfNode> {
  const places = nodes.flatMap(({ name, submitted }) =>
    [0, submitted - 1].filter((item, index) => item > 0 || index === 0).map((item) => ({ name, item })),
  );
  const broken = nodes.filter(({ state }) => state === 'failed').map(({ name }) => name);
  const [placed, failed] = await Promise.all([
    db.any(sql.type(jobOfNode)`
      select j.flow_node as node, j.flow_item as item, ${jobSummaryColumns}
      from unnest(${sql.array(
        places.map(({ name }) => name),
        'text',
      )}, ${sql.array(
        places.map(({ item }) => item),
        'int4',
      )}) as g (name, item)
      join jobs j on j.parent_id = ${flow} and j.flow_node = g.name and j.flow_item = g.item`),
    broken.length === 0
      ? []
      : db.any(sql.type(jobOfNode)`
          select distinct on (j.flow_node) j.flow_node as node, j.flow_item as item, ${jobSummaryColumns} from jobs j
          where j.parent_id = ${flow} and j.flow_node = any(${sql.array(broken, 'text')}) and j.flow_item is not null
            and j.state = 'failed'
          order by j.flow_node, j.flow_item`),
  ]);
  const at = new Map(placed.map((one) => [`${one.item} ${one.node}`, one]));
  const submitted = new Map(nodes.map((node) => [node.name, node.submitted]));
  return (node) => ({
    first: at.get(`0 ${node}`),
    last: at.get(`${(submitted.get(node) ?? 0) - 1} ${node}`),
    failed: failed.find((one) => one.node === node),
  });
}

async function nodeState(context: Context, stored: NodeRow | undefined, { first, last, failed }: JobsOfNode) {
  return {
    state: stored?.state ?? ('pending' as const),
    total: stored?.total ?? null,
    succeeded: stored?.succeeded ?? 0,
    failed: stored?.failed ?? 0,
    cancelled: stored?.cancelled ?? 0,
    job_id: (failed ?? first)?.id ?? null,
    error: stored?.error ?? failed?.error ?? null,
    warning: last && stored?.state === 'running' ? ((await idleWarning(context, last)) ?? null) : null,
    began_at: stored?.beganAt?.toISOString() ?? null,
    ended_at: stored?.endedAt?.toISOString() ?? null,
  };
}

/** Shows a flow without its nodes. */
export function flowSummary(flow: FlowOfList): FlowSummary {
  return { ...summary(flow, flow), nodes: flow.nodes, nodes_ended: flow.nodesEnded };
}

function summary(job: JobSummary, { name }: Pick<StoredFlow, 'name'>): Omit<FlowSummary, 'nodes' | 'nodes_ended'> {
  return {
    id: job.id,
    name,
    state: job.state,
    error: job.error,
    metadata: job.metadata ?? null,
    created_at: job.createdAt.toISOString(),
    finished_at: job.finishedAt?.toISOString() ?? null,
    url: `/v1/flows/${job.id}`,
    events: `${jobPath(job.id)}/events`,
  };
}
