import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { type Job, jobColumns, jobRow } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { BriefBody, PlanBody } from './bodies.ts';

/** Jobs by their ids, in the order of the ids. */
export async function readJobs({ db }: Pick<Context, 'db'>, ids: readonly string[]): Promise<readonly Job[]> {
  return await db.any(sql.type(jobRow)`
    select ${jobColumns} from jobs j where j.id = any(${sql.array([...ids], 'uuid')}) order by j.id`);
}

type Db = { readonly db: CommonQueryMethods };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const BriefRow = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  brief: Type.Unsafe<BriefBody>({}),
  createdAt: Type.Unsafe<Date>({}),
});
export type Brief = Static<typeof BriefRow>;

const PlanRow = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  brief: Type.String(),
  plan: Type.Unsafe<PlanBody>({}),
  planHash: Type.String(),
  createdAt: Type.Unsafe<Date>({}),
});
export type Plan = Static<typeof PlanRow>;

const briefColumns = sql.fragment`id, owner, brief, created_at as "createdAt"`;
const planColumns = sql.fragment`id, owner, brief, plan, encode(plan_hash, 'hex') as "planHash", created_at as "createdAt"`;

export type NewBrief = Pick<Brief, 'id' | 'owner' | 'brief'>;

/** Keeps briefs. Answers them by their ids. */
export async function insertBriefs(
  tx: CommonQueryMethods,
  briefs: readonly NewBrief[],
): Promise<ReadonlyMap<string, Brief>> {
  const column = (of: (one: NewBrief) => string) => sql.array(briefs.map(of), 'text');
  const kept = await tx.any(sql.type(row(BriefRow))`
    insert into studio_briefs (id, owner, brief)
    select id::uuid, owner, brief::jsonb
    from unnest(${column(({ id }) => id)}, ${column(({ owner }) => owner)}, ${column(({ brief }) => JSON.stringify(brief))})
      as g (id, owner, brief)
    returning ${briefColumns}`);
  return new Map(kept.map((brief) => [brief.id, brief]));
}

/** A brief of this owner; null for another's, and for what is no id. */
export async function readBrief({ db }: Db, id: string, owner: string): Promise<Brief | null> {
  if (!UUID.test(id)) return null;
  return await db.maybeOne(
    sql.type(row(BriefRow))`select ${briefColumns} from studio_briefs where id = ${id} and owner = ${owner}`,
  );
}

/** Reads briefs of any owners, by their ids; what is no id is left out. */
export async function readBriefs({ db }: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Brief>> {
  const wanted = ids.filter((id) => UUID.test(id));
  const briefs = await db.any(sql.type(row(BriefRow))`
    select ${briefColumns} from studio_briefs where id = any(${sql.array(wanted, 'uuid')})`);
  return new Map(briefs.map((brief) => [brief.id, brief]));
}

/** The newest briefs of an owner, those before an id where one is named. */
export async function listBriefs(
  { db }: Db,
  owner: string,
  limit: number,
  before: string | null = null,
): Promise<readonly Brief[]> {
  return await db.any(sql.type(row(BriefRow))`
    select ${briefColumns} from studio_briefs where owner = ${owner} and (${before}::uuid is null or id < ${before}::uuid)
    order by id desc limit ${limit}`);
}

export interface NewPlan {
  readonly id: string;
  readonly owner: string;
  readonly briefId: string;
  readonly plan: PlanBody;
  /** SHA-256 of its canonical JSON, hexadecimal. */
  readonly planHash: string;
}

/** Keeps plans. Answers them by their ids. */
export async function insertPlans(
  tx: CommonQueryMethods,
  plans: readonly NewPlan[],
): Promise<ReadonlyMap<string, Plan>> {
  const column = (of: (one: NewPlan) => string) => sql.array(plans.map(of), 'text');
  const kept = await tx.any(sql.type(row(PlanRow))`
    insert into studio_plans (id, owner, brief, plan, plan_hash)
    select id::uuid, owner, brief::uuid, plan::jsonb, decode(hash, 'hex')
    from unnest(${column(({ id }) => id)}, ${column(({ owner }) => owner)}, ${column(({ briefId }) => briefId)},
      ${column(({ plan }) => JSON.stringify(plan))}, ${column(({ planHash }) => planHash)})
      as g (id, owner, brief, plan, hash)
    returning ${planColumns}`);
  return new Map(kept.map((plan) => [plan.id, plan]));
}

/** Reads a plan of this owner; `owner` null for the worker that carries it out. */
export async function readPlan({ db }: Db, id: string, owner: string | null): Promise<Plan | null> {
  if (!UUID.test(id)) return null;
  return await db.maybeOne(sql.type(row(PlanRow))`
    select ${planColumns} from studio_plans where id = ${id} and (${owner}::text is null or owner = ${owner})`);
}

/** The newest plans of an owner, or of one of their briefs; those before an id where one is named. */
export async function listPlans(
  { db }: Db,
  owner: string,
  limit: number,
  { brief = null, before = null }: { readonly brief?: string | null; readonly before?: string | null } = {},
): Promise<readonly Plan[]> {
  return await db.any(sql.type(row(PlanRow))`
    select ${planColumns} from studio_plans where owner = ${owner} and (${brief}::uuid is null or brief = ${brief}::uuid)
      and (${before}::uuid is null or id < ${before}::uuid)
    order by id desc limit ${limit}`);
}

interface NewStudioJob {
  readonly id: string;
  readonly owner: string;
  readonly kind: 'render' | 'publish' | 'call';
  readonly plan: string | null;
  readonly parent: string | null;
}

/** Records a job whose events go to its owner's stream; again changes nothing. */
export async function insertStudioJob(
  tx: CommonQueryMethods,
  { id, owner, kind, plan, parent }: NewStudioJob,
): Promise<void> {
  await tx.query(sql.unsafe`
    insert into studio_jobs (id, owner, kind, plan, parent) values (${id}, ${owner}, ${kind}, ${plan}, ${parent})
    on conflict do nothing`);
}

/** Plans of these briefs, newest first, at most 200. */
export async function plansOfBriefs({ db }: Db, briefs: readonly string[]): Promise<readonly Plan[]> {
  return await db.any(sql.type(row(PlanRow))`
    select ${planColumns} from studio_plans where brief = any(${sql.array([...briefs], 'uuid')}) order by id desc limit 200`);
}

const JobCapabilities = Type.Object({ id: Type.String(), capabilities: Type.Array(Type.String()) });

/** The capabilities that jobs use: those of their plans' steps. */
/** The plans of these ids that the owner has. */
export async function readPlans({ db }: Db, owner: string, ids: readonly string[]): Promise<readonly Plan[]> {
  return await db.any(sql.type(row(PlanRow))`
    select ${planColumns} from studio_plans where owner = ${owner} and id = any(${sql.array([...ids], 'uuid')})`);
}

export async function capabilitiesOfJobs({ db }: Db, jobs: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const rows = await db.any(sql.type(row(JobCapabilities))`
    select s.id, array(select jsonb_array_elements(p.plan -> 'steps') ->> 'capability') as capabilities
    from studio_jobs s join studio_plans p on p.id = s.plan where s.id = any(${sql.array([...jobs], 'uuid')})`);
  return new Map(rows.map(({ id, capabilities }) => [id, capabilities]));
}

const StudioJobRow = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  plan: Type.Union([Type.String(), Type.Null()]),
  parent: Type.Union([Type.String(), Type.Null()]),
});

/** Reads the studio's record of a job of this owner; null for another owner's, and for a job outside the studio. */
export async function readStudioJob(
  { db }: Db,
  id: string,
  owner: string,
): Promise<Static<typeof StudioJobRow> | null> {
  if (!UUID.test(id)) return null;
  return await db.maybeOne(sql.type(row(StudioJobRow))`
    select id, kind, plan, parent from studio_jobs where id = ${id} and owner = ${owner}`);
}
