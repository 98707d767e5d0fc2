import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { usdText } from '#src/lib/money.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Call = Type.Object({
  step: Type.String(),
  provider: Type.String(),
  capability: Type.String(),
  state: Type.String(),
  cost: Type.Union([Type.Integer(), Type.Null()]),
  endedAt: Type.Unsafe<Date>({}),
});

const ExecutionAsset = Type.Object({
  name: Type.String(),
  sha256: Type.String(),
  mediaType: Type.String(),
  size: Type.Integer(),
  createdAt: Type.Unsafe<Date>({}),
});
export type ExecutionAsset = Static<typeof ExecutionAsset>;

/** One event of an execution's receipt: public, so without any content of the client's. */
export interface ReceiptEvent {
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, string | number | boolean | null>>;
}

/** Lists the provider calls of a job and its child jobs, with their outcomes, oldest first. */
export async function callsOf({ db }: Pick<Context, 'db'>, job: string): Promise<readonly ReceiptEvent[]> {
  const calls = await db.any(sql.type(row(Call))`
    select coalesce(j.payload ->> 'name', '') as step, c.provider, c.capability, c.state, c.cost, c.ended_at as "endedAt"
    from provider_calls c join jobs j on j.id = c.job
    where (c.job = ${job} or j.parent_id = ${job}) and c.state <> 'reserved'
    order by c.ended_at, c.provider`);
  return calls.map(({ step, provider, capability, state, cost, endedAt }) => ({
    type: `call.${state}`,
    at: endedAt,
    data: { step, provider, capability, costUsd: cost === null ? null : usdText(cost / 1e6) },
  }));
}

/** Lists the assets that a job and its child jobs have made, oldest first. */
export async function madeBy({ db }: Pick<Context, 'db'>, job: string): Promise<readonly ExecutionAsset[]> {
  return await db.any(sql.type(row(ExecutionAsset))`
    select a.name, encode(a.sha256, 'hex') as sha256, a.media_type as "mediaType", a.size, a.created_at as "createdAt"
    from assets a join jobs j on j.id = a.job
    where a.job = ${job} or j.parent_id = ${job} order by a.created_at, a.name`);
}
