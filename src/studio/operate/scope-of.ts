import { sql } from 'slonik';
import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import type { OperateInput } from '#src/studio/edge/inputs.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Most jobs that one action looks at, newest first. */
export const MOST = 200;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const Id = row(Type.Object({ id: Type.String() }));

/**
 * Records that belong to a target: its brief, the plans that are about it, and the renders and publications among its
 * work.
 */
export interface TargetScope {
  readonly brief: string | null;
  readonly plans: readonly string[];
  /** Renders and publications, without the calls they made. */
  readonly jobs: readonly string[];
}

type Target = Pick<OperateInput, 'targetType' | 'targetId'>;
type Db = Pick<Context, 'db'>;

/**
 * Finds the records that belong to a target of this owner.
 *
 * @throws AppError `not_found` for a target that is unknown or another owner's.
 */
export async function targetScopeOf(context: Context, owner: string, target: Target): Promise<TargetScope> {
  const { targetType, targetId } = target;
  if (targetType === 'provider') return await ofProvider(context, owner, targetId);
  if (!UUID.test(targetId)) throw unknown(target);
  const found = await {
    brief: async () => {
      const plans = await idsOf(
        context,
        sql.fragment`
        select id from studio_plans where brief = ${targetId} and owner = ${owner} order by id desc limit ${MOST}`,
      );
      const [brief] = await idsOf(
        context,
        sql.fragment`
        select id from studio_briefs where id = ${targetId} and owner = ${owner}`,
      );
      return brief === undefined ? null : { brief, plans, jobs: await jobsOf(context, plans) };
    },
    plan: async () => {
      const brief = await briefOf(context, owner, targetId);
      return brief === null ? null : { brief, plans: [targetId], jobs: await jobsOf(context, [targetId]) };
    },
    job: async () => await ofJob(context, owner, targetId),
    asset: async () => {
      const [job] = await idsOf(
        context,
        sql.fragment`
        select job as id from assets where id = ${targetId} and owner = ${owner}`,
      );
      return job === undefined ? null : await ofJob(context, owner, job);
    },
  }[targetType]();
  if (found) return found;
  throw unknown(target);
}

/** @throws AppError `invalid_request` for a kind of target that the action is not for. */
export function assertTarget({ action, targetType }: OperateInput, expected: readonly string[]): void {
  if (expected.includes(targetType)) return;
  throw new AppError(
    'invalid_request',
    `targetType: expected ${expected.join(' or ')} for ${action}, got ${targetType}.`,
    {
      field: 'targetType',
      value: targetType,
    },
  );
}

export function unknown({ targetType, targetId }: Target): AppError {
  return new AppError(
    'not_found',
    `targetId: expected the id of ${targetType === 'asset' ? 'an' : 'a'} ${targetType}${targetType === 'provider' ? '' : ' of yours'}, got ${JSON.stringify(targetId)}.`,
    { field: 'targetId' },
  );
}

async function ofJob(context: Db, owner: string, id: string): Promise<TargetScope | null> {
  const Work = row(Type.Object({ root: Type.String(), plan: Type.Union([Type.String(), Type.Null()]) }));
  const work = await context.db.maybeOne(sql.type(Work)`
    select coalesce(s.parent, s.id) as root, r.plan from studio_jobs s join studio_jobs r on r.id = coalesce(s.parent, s.id)
    where s.id = ${id} and s.owner = ${owner}`);
  if (!work) return null;
  const { root, plan } = work;
  return {
    brief: plan === null ? null : await briefOf(context, owner, plan),
    plans: plan === null ? [] : [plan],
    jobs: [root],
  };
}

/** The owner's work in which a provider was called. */
async function ofProvider(context: Context, owner: string, provider: string): Promise<TargetScope> {
  const jobs = await idsOf(
    context,
    sql.fragment`
    select distinct coalesce(s.parent, s.id) as id from provider_calls c join studio_jobs s on s.id = c.job
    where c.owner = ${owner} and c.provider = ${provider} order by 1 desc limit ${MOST}`,
  );
  if (jobs.length === 0 && catalogueOf(context).every(({ id }) => id !== provider))
    throw unknown({ targetType: 'provider', targetId: provider });
  const plans = await idsOf(
    context,
    sql.fragment`
    select distinct plan as id from studio_jobs where id = any(${sql.array([...jobs], 'uuid')}) and plan is not null order by 1`,
  );
  return { brief: null, plans, jobs };
}

async function briefOf(context: Db, owner: string, plan: string): Promise<string | null> {
  const [brief] = await idsOf(
    context,
    sql.fragment`
    select brief as id from studio_plans where id = ${plan} and owner = ${owner}`,
  );
  return brief ?? null;
}

async function jobsOf(context: Db, plans: readonly string[]): Promise<readonly string[]> {
  return await idsOf(
    context,
    sql.fragment`
    select id from studio_jobs where plan = any(${sql.array([...plans], 'uuid')}) and kind <> 'call'
    order by id desc limit ${MOST}`,
  );
}

async function idsOf({ db }: Db, query: ReturnType<typeof sql.fragment>): Promise<readonly string[]> {
  return (await db.any(sql.type(Id)`${query}`)).map(({ id }) => id);
}
