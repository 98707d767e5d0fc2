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

const firstRow = row(Type.Interface([SummarySchema], { node: Type.String() }));

/** Shows a flow with its nodes, each with the first of its jobs. */
export async function flowView(context: Context, job: Job): Promise<FlowView> {
  const { nodes } = job.payload as StoredFlow;
  const [rows, jobs] = await Promise.all([
    readNodes(context.db, job.id),
    // of a node with many the one that did not succeed says more
    context.db.any(sql.type(firstRow)`
      select distinct on (j.flow_node) j.flow_node as node, ${jobSummaryColumns} from jobs j
      where j.parent_id = ${job.id} and j.flow_node = any(${sql.array(
        nodes.map(({ name }) => name),
        'text',
      )}) and j.flow_item = 0
      order by j.flow_node, j.flow_item`),
  ]);
  const states = new Map(rows.map((node) => [node.name, node]));
  const firsts = new Map(jobs.map(({ node, ...first }) => [node, first]));
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
        ...(await nodeState(context, states.get(node.name), firsts.get(node.name))),
      })),
    ),
    result: job.result ?? null,
  };
}

async function nodeState(context: Context, stored: NodeRow | undefined, first: JobSummary | undefined) {
  return {
    state: stored?.state ?? ('pending' as const),
    total: stored?.total ?? null,
    succeeded: stored?.succeeded ?? 0,
    failed: stored?.failed ?? 0,
    cancelled: stored?.cancelled ?? 0,
    job_id: first?.id ?? null,
    error: stored?.error ?? (first?.state === 'failed' ? first.error : null),
    warning: first && stored?.state === 'running' ? ((await idleWarning(context, first)) ?? null) : null,
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
