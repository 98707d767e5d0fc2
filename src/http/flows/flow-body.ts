import { type Static, Type } from 'typebox';
import { MOST_NODES, NodeBody, NodeName, nodePolicies } from '#queues/flows.ts';
import { JobWebhook } from '#src/http/queues/job-options.ts';
import { nodeStates } from '#src/jobs/flows/flow-rows.ts';
import { JobFailure } from '#src/jobs/model/job-view.ts';
import { states } from '#src/jobs/model/states.ts';
import { Count, OptionalText, OptionalTime, Time } from '#src/lib/validation/schema-parts.ts';

/** A flow as a caller submits it. */
export const FlowBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Your own name for it' })),
    nodes: Type.Array(Type.Unsafe<NodeBody>({ ...NodeBody }), {
      minItems: 1,
      maxItems: MOST_NODES,
      description: 'Its nodes in any order; together at most 4 MiB of JSON',
    }),
    result: Type.Optional(
      Type.Unsafe<unknown>({
        description:
          'Its result, with references to nodes; without it those of the nodes that no other depends on, by name',
      }),
    ),
    metadata: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.Unsafe<unknown>({}), {
        maxProperties: 50,
        description: 'Your own words about it, given back as they came',
      }),
    ),
    webhook: Type.Optional(
      Type.Unsafe<JobWebhook>({
        ...JobWebhook,
        title: 'FlowWebhook',
        description:
          'Receiver of `flow.succeeded`, `flow.failed` or `flow.cancelled` of this flow: as that of a single job',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Jobs that follow each other',
    examples: [
      {
        name: 'thumbnails',
        nodes: [
          { name: 'list', queue: 'acme.list-images', payload: { shop: 7 } },
          {
            name: 'resize',
            queue: 'acme.resize-image',
            for_each: { $from: 'list', path: '/images' },
            payload: { url: { $item: '/url' }, width: 800 },
          },
          { name: 'index', queue: 'acme.index-images', payload: { images: { $from: 'resize' } } },
        ],
      },
    ],
  },
);

const FlowNode = Type.Object(
  {
    name: NodeName,
    queue: Type.String({ description: 'Queue of its jobs' }),
    version: Type.Integer({
      minimum: 1,
      description: 'Version of the contract, as it was when the flow was submitted',
    }),
    depends_on: Type.Array(NodeName, { description: 'Nodes that have to end before it begins' }),
    on_failure: Type.Enum([...nodePolicies], { type: 'string', description: 'Where it does not succeed' }),
    for_each: Type.Boolean({ description: 'Whether it has a job an item' }),
    state: Type.Enum([...nodeStates], {
      type: 'string',
      description: '`pending` waits for others; `skipped` will never begin, since one of those did not succeed',
    }),
    total: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of its jobs; null before that is known' }),
    succeeded: Count('Of its jobs'),
    failed: Count('Of its jobs'),
    cancelled: Count('Of its jobs'),
    job_id: OptionalText(
      'Its job: of many the first, or the first that failed once the node has; null while there is none',
    ),
    error: Type.Union([JobFailure, Type.Null()], { description: 'Why it could not begin, or why that job failed' }),
    warning: OptionalText('Reason why its jobs are not started: no worker takes their queue'),
    began_at: OptionalTime('When it began'),
    ended_at: OptionalTime('When it ended'),
  },
  { title: 'FlowNode', description: 'A node of a flow as it is now' },
);

const flow = {
  id: Type.String({ format: 'uuid', description: 'The flow; it is the job of this id as well' }),
  name: OptionalText('Your own name for it'),
  state: Type.Enum([...states], {
    type: 'string',
    description: 'State of its job: `queued` until it begins, `waiting` while its nodes run',
  }),
  error: Type.Union([JobFailure, Type.Null()], { description: 'Why it failed' }),
  metadata: Type.Unsafe<unknown>({ description: 'Your own words about it; else null' }),
  created_at: Time('When it was accepted'),
  finished_at: OptionalTime('When it ended'),
  url: Type.String({ pattern: '^/', description: 'Path of this flow' }),
  events: Type.String({ pattern: '^/', description: 'Path of its events: nodes as they begin and end' }),
};

/** A flow as its owner sees it. */
export const FlowView = Type.Object(
  {
    ...flow,
    nodes: Type.Array(FlowNode, { description: 'In an order in which they may run' }),
    result: Type.Unsafe<unknown>({ description: 'Its result, once it has succeeded; else null' }),
  },
  { $id: 'Flow', title: 'Flow', description: 'Jobs that follow each other' },
);
export type FlowView = Static<typeof FlowView>;

/** The same in a list. */
export const FlowSummary = Type.Object(
  {
    ...flow,
    nodes: Count('Its nodes'),
    nodes_ended: Count('Of these, those that have ended, or will never begin'),
  },
  {
    $id: 'FlowSummary',
    title: 'FlowSummary',
    description: 'A flow without its nodes',
  },
);
export type FlowSummary = Static<typeof FlowSummary>;
