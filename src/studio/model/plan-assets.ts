import { sql } from 'slonik';
import { Type } from 'typebox';
import type { Asset } from '#src/providers/assets/assets.ts';
import { listAssetsOfJobs } from '#src/providers/assets/assets.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Id = Type.Object({ id: Type.String() });

/** Lists the assets of a plan's newest successful render; empty where there is none. */
export async function assetsOfPlan(context: Context, plan: string): Promise<readonly Asset[]> {
  const render = await context.db.maybeOne(sql.type(row(Id))`
    select j.id from studio_jobs s join jobs j on j.id = s.id
    where s.plan = ${plan} and s.kind = 'render' and j.state = 'succeeded' order by s.id desc limit 1`);
  if (!render) return [];
  return await listAssetsOfJobs(context, await withCalls(context, render.id));
}

/** A job of the studio, and the calls of providers that it made: what it has made is theirs. */
export async function withCalls({ db }: Pick<Context, 'db'>, job: string): Promise<readonly string[]> {
  const calls = await db.any(sql.type(row(Id))`select id from studio_jobs where parent = ${job}`);
  return [job, ...calls.map(({ id }) => id)];
}

/** The plan whose render made an asset; null for one that came otherwise. */
export async function planOfAsset({ db }: Pick<Context, 'db'>, { job }: Asset): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(row(Type.Object({ plan: Type.Union([Type.String(), Type.Null()]) })))`
    select plan from studio_jobs where id = ${job}`);
}
