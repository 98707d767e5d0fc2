import Type, { type Static } from 'typebox';
import { defineQueue, LONGEST_DELAY_MS } from './define.ts';
import { Delay } from './delay.ts';
import { ApprovalTerms, BudgetTerms } from './terms.ts';

const strict = { additionalProperties: false };

/** Nodes of one flow. */
export const MOST_NODES = 1_000;
/** Jobs of one node: items of its fan-out. */
export const MOST_ITEMS = 100_000;

/** Fate of a flow where a node of it does not succeed. */
export const nodePolicies = ['fail', 'continue', 'skip'] as const;

export const NodeName = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Its name, once in the flow: lower-case letters, digits, hyphen and underscore',
  examples: ['resize'],
});

const Path = Type.String({
  maxLength: 500,
  pattern: '^(/.*)?$',
  description: 'JSON pointer (RFC 6901) into it; all of it without one',
});

/** Stands in a payload for the result of another node. */
export const Reference = Type.Object(
  { $from: NodeName, path: Type.Optional(Path) },
  { title: 'NodeReference', ...strict, description: 'The result of another node, or a place in it' },
);
export type Reference = Static<typeof Reference>;

const options = {
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: '0 runs first, 1000 last' })),
  group: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Group for fair shares' })),
  delay_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LONGEST_DELAY_MS,
      description: 'Pause before it may run, from when it begins',
    }),
  ),
  metadata: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.Unsafe<unknown>({}), {
      maxProperties: 50,
      description: 'Your own words about its jobs',
    }),
  ),
  receipt: Type.Optional(Type.Boolean({ description: 'Whether the end of each of its jobs is sealed' })),
  approval: Type.Optional(
    Type.Union([Type.Boolean(), ApprovalTerms], { description: 'Decision that each of its jobs waits for' }),
  ),
  budget: Type.Optional(
    Type.Pick(BudgetTerms, ['job_usd'], { ...strict, description: 'Money reserved for each of its jobs' }),
  ),
};
const optionsWords = { title: 'NodeOptions', ...strict, description: 'Everything else of the jobs of a node' };

/** Everything of the jobs of a node beside queue and payload. */
export const NodeOptions = Type.Object({ ...options, delay: Type.Optional(Delay) }, optionsWords);
export type NodeOptions = Static<typeof NodeOptions>;

const Version = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'Of the contract; the newest without one',
});

const node = {
  name: NodeName,
  queue: Type.String({ minLength: 3, maxLength: 100, description: 'The queue, as `<namespace>.<verb-noun>`' }),
  payload: Type.Unsafe<unknown>({
    description:
      'Fits the payload of the contract once its references are filled in: `{"$from": node, "path": pointer}` stands for the result of a node, `{"$item": pointer}` in a fan-out for the item, `{"$literal": value}` for a value as it is, in which none of these is looked for',
  }),
  on_failure: Type.Enum([...nodePolicies], {
    type: 'string',
    description:
      'Where it does not succeed: `fail` the flow, `continue` with null for its result, or `skip` the nodes behind it',
  }),
  for_each: Type.Optional(
    Type.Object(Reference.properties, {
      ...strict,
      description: `Array of the result of a node: the node has one job an item, at most ${MOST_ITEMS}, and their results in the same order as its own`,
    }),
  ),
  options: Type.Optional(Type.Object(options, optionsWords)),
};

/** A node as a caller submits it. */
export const NodeBody = Type.Object(
  {
    ...node,
    version: Type.Optional(Version),
    on_failure: Type.Optional(node.on_failure),
    options: Type.Optional(NodeOptions),
    depends_on: Type.Optional(
      Type.Array(NodeName, {
        maxItems: MOST_NODES,
        description: 'Nodes that have to end before it begins, beside those that it refers to',
      }),
    ),
  },
  { title: 'FlowNodeBody', ...strict, description: 'Jobs of one queue, and what they wait for' },
);
export type NodeBody = Static<typeof NodeBody>;

/** The same as it is stored: checked, with the nodes that it refers to among those it depends on, and its delay in ms. */
const StoredNode = Type.Object({ ...node, version: Version, depends_on: Type.Array(NodeName) }, strict);
export type StoredNode = Static<typeof StoredNode>;

/** A flow as it is stored: its nodes in an order in which they may run. */
const StoredFlow = Type.Object(
  {
    name: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
    nodes: Type.Array(StoredNode, { minItems: 1, maxItems: MOST_NODES }),
    result: Type.Optional(Type.Unsafe<unknown>({})),
    /** Key that its jobs are paid by. */
    key_id: Type.Union([Type.String(), Type.Null()]),
  },
  strict,
);
export type StoredFlow = Static<typeof StoredFlow>;

/** Jobs that follow each other. No worker runs a flow: what moves it are the ends of its jobs. */
export const flowQueue = defineQueue({
  name: 'flows.run',
  title: 'Run jobs in their order',
  payload: StoredFlow,
  result: Type.Unknown(),
  progress: Type.Object({ node: NodeName }),
  attempts: 1,
});
