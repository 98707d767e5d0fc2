import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { State } from '#src/jobs/model/states.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { missedPolicies, overlaps } from './policies.ts';

export const runOutcomes = ['submitted', 'skipped', 'missed', 'refused'] as const;

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Instant = Type.Unsafe<Date>({});

/** A schedule as Postgres has it. */
export const Schedule = Type.Object({
  owner: Type.String(),
  name: Type.String(),
  queue: Type.String(),
  version: nullable(Type.Integer()),
  payload: Type.Unsafe<unknown>({}),
  cron: nullable(Type.String()),
  everyMs: nullable(Type.Integer()),
  zone: Type.String(),
  overlap: Type.Unsafe<(typeof overlaps)[number]>({}),
  missed: Type.Unsafe<(typeof missedPolicies)[number]>({}),
  missedWithinS: Type.Integer(),
  /** Everything else of its submissions, as the body of a submission has it. */
  options: Type.Unsafe<Readonly<Record<string, unknown>>>({}),
  madeBy: Type.String(),
  keyId: nullable(Type.String()),
  /** Endpoint that is notified of the ends of its jobs. */
  receiver: nullable(Type.String()),
  paused: Type.Boolean(),
  nextAt: nullable(Instant),
  lastAt: nullable(Instant),
  lastJob: nullable(Type.String()),
  madeAt: Instant,
  changedAt: Instant,
});
export type Schedule = Static<typeof Schedule>;

export const scheduleRow = row(Schedule);

/** The columns of a {@link Schedule}, of a table called `s`. */
export const scheduleColumns = sql.fragment`
  s.owner, s.name, s.queue, s.version, s.payload, s.cron, s.every_ms as "everyMs", s.zone, s.overlap, s.missed,
  s.missed_within_s as "missedWithinS", s.options, s.made_by as "madeBy", s.key_id as "keyId", s.receiver, s.paused,
  s.next_at as "nextAt", s.last_at as "lastAt", s.last_job as "lastJob", s.made_at as "madeAt", s.changed_at as "changedAt"`;

type Db = { readonly db: CommonQueryMethods };

/** The schedule of this name of an owner; null for none. */
export async function readSchedule({ db }: Db, owner: string, name: string): Promise<Schedule | null> {
  return await db.maybeOne(sql.type(scheduleRow)`
    select ${scheduleColumns} from schedules s where s.owner = ${owner} and s.name = ${name}`);
}

/** Schedules of an owner, or of all (null), by owner and name, at most `limit`, behind the one that `after` names. */
export async function listSchedules(
  { db }: Db,
  {
    owner,
    after,
    limit,
  }: { readonly owner: string | null; readonly after: Pick<Schedule, 'owner' | 'name'>; readonly limit: number },
): Promise<readonly Schedule[]> {
  return await db.any(sql.type(scheduleRow)`
    select ${scheduleColumns} from schedules s
    where (s.owner, s.name) > (${after.owner}, ${after.name}) ${owner === null ? sql.fragment`` : sql.fragment`and s.owner = ${owner}`}
    order by s.owner, s.name limit ${limit}`);
}

const Run = Type.Object({
  at: Instant,
  outcome: Type.Unsafe<(typeof runOutcomes)[number]>({}),
  job: nullable(Type.String()),
  /** State that the job is in; null where there is none, or none any more. */
  state: nullable(Type.Unsafe<State>({})),
  reason: nullable(Type.String()),
});

/** One time of a schedule, and what became of it. */
export type ScheduleRun = Omit<Static<typeof Run>, 'state'>;
export type ScheduleRunNow = Static<typeof Run>;

/** The newest times of a schedule that are over. */
export async function listRuns(
  { db }: Db,
  { owner, name }: Pick<Schedule, 'owner' | 'name'>,
  limit: number,
): Promise<readonly ScheduleRunNow[]> {
  return await db.any(sql.type(row(Run))`
    select r.at, r.outcome, r.job, j.state, r.reason from schedule_runs r left join jobs j on j.id = r.job
    where r.owner = ${owner} and r.schedule = ${name} order by r.at desc limit ${limit}`);
}

const NamedRun = Type.Interface([Run], { owner: Type.String(), name: Type.String() });

/** Reads the newest of the times of each of some schedules that are over; answers them by schedule. */
export async function lastRuns(
  { db }: Db,
  schedules: readonly Schedule[],
): Promise<(schedule: Schedule) => ScheduleRunNow | null> {
  const texts = (of: (one: Schedule) => string) => sql.array(schedules.map(of), 'text');
  const nameOf = ({ owner, name }: Pick<Schedule, 'owner' | 'name'>) => `${owner}/${name}`;
  const found = await db.any(sql.type(row(NamedRun))`
    select n.owner, n.name, r.at, r.outcome, r.job, j.state, r.reason
    from unnest(${texts(({ owner }) => owner)}, ${texts(({ name }) => name)}) as n (owner, name) cross join lateral (
      select * from schedule_runs r where r.owner = n.owner and r.schedule = n.name order by r.at desc limit 1
    ) r left join jobs j on j.id = r.job`);
  const runs = new Map(found.map((run) => [nameOf(run), run]));
  return (schedule) => runs.get(nameOf(schedule)) ?? null;
}
