import { resolutions } from '#src/jobs/history/resolutions.ts';
import type { Config } from '#src/system/config/config-type.ts';

/** Rows that are forgotten by the clock, some at once. */
export interface Forgettable {
  readonly name: string;
  readonly days: (config: Config) => number;
  /** Deletes at most `$2` rows that are older than `$1` days, and passes by rows that another transaction holds. */
  readonly statement: string;
}

const old = (column: string): string => `${column} < now() - $1 * interval '1 day'`;

/** Rows of a table that are named by an id, and no longer needed by anything that is still kept. */
const byId = (table: string, at: string, unneeded = 'true'): string =>
  `delete from ${table} where id in (
     select t.id from ${table} t where ${old(`t.${at}`)} and ${unneeded} order by t.${at} limit $2 for update skip locked
   )`;

/** The same of a table whose rows have no such id; no other code deletes them. */
const byPlace = (table: string, at: string, unneeded = 'true'): string =>
  `delete from ${table} where ctid = any(array(
     select t.ctid from ${table} t where ${old(`t.${at}`)} and ${unneeded} order by t.${at} limit $2 for update skip locked
   ))`;

/** Bound below the UUIDs of version 7 made from then on: a range of the primary key, where `created_at` has no index. */
const idsFrom = (time: string): string =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

const jobIsGone = (column: string): string => `not exists (select from jobs j where j.id = ${column})`;

/**
 * Rows that are forgotten beside jobs, in this order: rows that refer to another before that one. Events of owners go
 * by `EVENT_RETENTION_DAYS`: a subscriber with an older cursor gets a snapshot.
 *
 * What jobs left behind goes after the job itself: calls of providers once they are paid or given back, since what is
 * reserved or not known still weighs on a budget, and budgets keep their own sums; budgets of single jobs, once nothing
 * is reserved under them and no job that has not ended is as old, by its id and with an hour for clocks that differ (the
 * budget it is paid from may be in its payload alone);
 * approvals that can no longer be decided or used, since receipts say who approved what was done.
 *
 * Briefs and plans last as long as what was made of them, unless something still refers to them.
 */
export const forgettable: readonly Forgettable[] = [
  {
    name: 'calls',
    days: ({ CALLS_RETENTION_DAYS }) => CALLS_RETENTION_DAYS,
    statement: byId('calls', 'at'),
  },
  {
    name: 'ownerEvents',
    days: ({ EVENT_RETENTION_DAYS }) => EVENT_RETENTION_DAYS,
    statement: byPlace('owner_events', 'at'),
  },
  {
    name: 'scheduleRuns',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byPlace('schedule_runs', 'noted_at'),
  },
  {
    name: 'jobActions',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    // a rerun of its job goes on by it
    statement: byId(
      'job_actions',
      'made_at',
      `not exists (select from jobs j where j.owner = t.owner and j.idempotency_key = 'action ' || t.id)`,
    ),
  },
  {
    name: 'providerMessages',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byPlace('provider_messages', 'created_at', jobIsGone('t.job')),
  },
  {
    name: 'providerCalls',
    // figures of spending go as far back as those of calls
    days: ({ JOB_RETENTION_DAYS, CALLS_RETENTION_DAYS }) => Math.max(JOB_RETENTION_DAYS, CALLS_RETENTION_DAYS),
    statement: byPlace('provider_calls', 'ended_at', `t.state in ('settled', 'released') and ${jobIsGone('t.job')}`),
  },
  {
    name: 'budgets',
    // not before the calls that were reserved under them
    days: ({ JOB_RETENTION_DAYS, CALLS_RETENTION_DAYS }) => Math.max(JOB_RETENTION_DAYS, CALLS_RETENTION_DAYS),
    statement: byId(
      'budgets',
      'updated_at',
      `t.reserved = 0 and case when t.id ~ '^(job|platform):[0-9a-f-]{36}$'
         then ${jobIsGone("split_part(t.id, ':', 2)::uuid")} else false end
       and not exists (select from jobs j where j.finished_at is null and j.id < ${idsFrom("now() - $1 * interval '1 day' + interval '1 hour'")})`,
    ),
  },
  {
    name: 'approvals',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byId('approvals', 'expires_at', `t.state in ('declined', 'used', 'expired') and ${jobIsGone('t.job')}`),
  },
  {
    name: 'batches',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byId('batches', 'ended_at', jobIsGone('t.id')),
  },
  {
    name: 'responses',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byId('responses', 'created_at', jobIsGone('t.id')),
  },
  {
    name: 'studioJobs',
    days: ({ ARTEFACT_RETENTION_DAYS }) => ARTEFACT_RETENTION_DAYS,
    statement: byId('studio_jobs', 'created_at', jobIsGone('t.id')),
  },
  {
    name: 'webhooks',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byPlace('platform_webhooks', 'created_at', jobIsGone('t.job')),
  },
  {
    name: 'deliveries',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byId('platform_deliveries', 'created_at', `t.sender is not null and ${jobIsGone('t.sender')}`),
  },
  {
    name: 'jobWebhooks',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byPlace('job_webhooks', 'created_at', jobIsGone('t.job')),
  },
  {
    name: 'webhookDeliveries',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byId('webhook_deliveries', 'created_at', "t.state in ('delivered', 'failed')"),
  },
  {
    name: 'singleEndpoints',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byId(
      'webhook_endpoints',
      'changed_at',
      `not t.listed and not exists (select from job_webhooks w where w.endpoint = t.id)
        and not exists (select from webhook_deliveries d where d.endpoint = t.id)
        and not exists (select from schedules s where s.receiver = t.id)`,
    ),
  },
  {
    name: 'notices',
    // not before the month of a budget is over: it would be noted again
    days: ({ EVENT_RETENTION_DAYS }) => Math.max(EVENT_RETENTION_DAYS, 40),
    statement: byPlace('notices', 'at'),
  },
  ...resolutions.map(({ seconds, days }) => ({
    name: `queueHistory${seconds}`,
    days,
    statement: byPlace('queue_history', 'start', `t.resolution = ${seconds}`),
  })),
  {
    name: 'streamTokens',
    days: () => 1,
    statement: byId('stream_tokens', 'expires_at'),
  },
  {
    name: 'rateBuckets',
    // what a rate has given back in full is as good as none
    days: () => 0,
    statement: byPlace(
      'rate_buckets',
      'at',
      `not exists (select from queue_rules r where r.queue = t.queue and r.kind = t.kind and r.name in (t.name, '*')
         and t.at > now() - r.rate_ms * interval '1 ms')`,
    ),
  },
  {
    name: 'videos',
    days: ({ JOB_RETENTION_DAYS }) => JOB_RETENTION_DAYS,
    statement: byId('platform_videos', 'created_at', jobIsGone('t.id')),
  },
  {
    name: 'plans',
    days: ({ ARTEFACT_RETENTION_DAYS }) => ARTEFACT_RETENTION_DAYS,
    statement: byId(
      'studio_plans',
      'created_at',
      `not exists (select from studio_jobs s where s.plan = t.id)
        and not exists (select from approvals a where a.subject = t.id)`,
    ),
  },
  {
    name: 'briefs',
    days: ({ ARTEFACT_RETENTION_DAYS }) => ARTEFACT_RETENTION_DAYS,
    statement: byId('studio_briefs', 'created_at', 'not exists (select from studio_plans p where p.brief = t.id)'),
  },
];
