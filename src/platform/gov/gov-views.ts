import { type Static, type TSchema, Type } from 'typebox';
import type { Mission } from '#src/governance/missions/mission-row.ts';
import { missionStates } from '#src/governance/missions/mission-states.ts';
import { batchStatuses } from '#src/receipts/anchor/leaves.ts';
import { outcomes } from '#src/receipts/format/receipt-schema.ts';
import type { ListedReceipt } from '#src/receipts/list-receipts.ts';

const Time = Type.String({ format: 'date-time' });
export const JsonSchema = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  description: 'A JSON Schema (2020-12)',
});

export const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Records per page' }),
  cursor: Type.Optional(Type.String({ format: 'uuid', description: '`next_cursor` of the page before' })),
});

/**
 * Builds the schema of a list of `gov/`: counts and the schema of a record for anybody, records for callers with a key.
 */
export const govListOf = <T extends TSchema, C extends TSchema>(item: T, counts: C) => ({
  object: Type.Literal('list'),
  authenticated: Type.Boolean({ description: 'True for a call with a key; without one there are no records' }),
  counts,
  data: Type.Array(item, { description: 'Records of the owner of the key, newest first' }),
  has_more: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Cursor of the next page; null on the last',
  }),
});

/** A mission in a list. */
export const MissionRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    state: Type.Enum([...missionStates], { type: 'string' }),
    status: Type.Enum([...missionStates], { type: 'string', description: 'The same as `state`' }),
    goal: Type.String(),
    planner: Type.Enum(['rules', 'model', 'client'], {
      type: 'string',
      description: 'Planner that proposed the steps',
    }),
    steps: Type.Integer({ minimum: 0 }),
    cost_usd: Type.Number({ description: 'Estimated cost, US dollars' }),
    spent_usd: Type.Number(),
    budget_usd: Type.Union([Type.Number(), Type.Null()], { description: 'Null for no bound' }),
    created_at: Time,
    links: Type.Object({ self: Type.String(), receipt: Type.Union([Type.String(), Type.Null()]) }),
  },
  { title: 'MissionRecord' },
);

/** @param base address of missions, without a path */
export function missionRecord(base: string, mission: Mission): Static<typeof MissionRecord> {
  const { id, state, goal, plan, spent, budget, createdAt, sealedAt } = mission;
  return {
    id,
    state,
    status: state,
    goal,
    planner: plan.planner,
    steps: plan.steps.length,
    cost_usd: plan.costUsd,
    spent_usd: spent / 1e6,
    budget_usd: budget === null ? null : budget / 1e6,
    created_at: createdAt.toISOString(),
    links: { self: `${base}/api/v1/missions/${id}`, receipt: sealedAt ? `${base}/api/v1/receipts/${id}` : null },
  };
}

/** A receipt in a list. */
export const ReceiptRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Id of the mission or job' }),
    kind: Type.Enum(['mission', 'execution'], { type: 'string', description: 'Kind of work that the receipt is of' }),
    outcome: Type.Enum([...outcomes], { type: 'string' }),
    root: Type.String({ description: 'Root that is anchored' }),
    kid: Type.String({ description: 'The key that sealed it' }),
    sealed_at: Time,
    anchor: Type.Object({
      status: Type.Enum(['waiting', ...batchStatuses], { title: 'AnchorStatus', type: 'string' }),
      anchored: Type.Boolean({ description: 'True where the anchor is as final as this service requires' }),
    }),
    links: Type.Object({ self: Type.String(), verify: Type.String() }),
  },
  { title: 'ReceiptRecord' },
);

/** @param base address of the service, without a path */
export function receiptRecord(base: string, receipt: ListedReceipt): Static<typeof ReceiptRecord> {
  const { id, kind, outcome, root, kid, sealedAt, anchor } = receipt;
  const self = `${base}/api/v1/receipts/${id}`;
  return {
    id,
    kind,
    outcome,
    root,
    kid,
    sealed_at: sealedAt.toISOString(),
    anchor: { ...anchor },
    links: { self, verify: `${self}/verify` },
  };
}
