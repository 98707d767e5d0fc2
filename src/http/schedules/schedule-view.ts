import { jobOptionsOf } from '#src/http/queues/job-options.ts';
import { ROW_BYTES } from '#src/jobs/contents/content.ts';
import type { WantedSchedule } from '#src/jobs/schedules/put-schedule.ts';
import type { Schedule, ScheduleRunNow } from '#src/jobs/schedules/schedule-row.ts';
import { AppError } from '#src/lib/errors.ts';
import type { ScheduleBody, ScheduleRunView, ScheduleView } from './schedule-body.ts';

const DAY_S = 86_400;

/**
 * A schedule as it is stored, with the defaults of what its body leaves out.
 *
 * @throws AppError `invalid_request` for both rules or none, `payload_too_large`
 */
export function wantedOf(
  body: ScheduleBody,
  made: Pick<WantedSchedule, 'owner' | 'name' | 'madeBy' | 'keyId' | 'receiver'>,
): WantedSchedule {
  const { queue, payload, version = null, cron, every_ms, zone = 'UTC', overlap = 'skip', missed = 'last' } = body;
  const { missed_within_s = DAY_S } = body;
  assertOneRule(body, 'body');
  const size = Buffer.byteLength(JSON.stringify(payload ?? null));
  if (size > ROW_BYTES)
    throw new AppError('payload_too_large', `body.payload: expected at most ${ROW_BYTES} bytes of JSON, got ${size}.`, {
      limit_bytes: ROW_BYTES,
    });
  return {
    ...made,
    queue,
    payload,
    version,
    cron: cron?.trim() ?? null,
    everyMs: every_ms ?? null,
    zone,
    overlap,
    missed,
    missedWithinS: missed_within_s,
    // shown as it was put; the receiver is what it stands for
    options: { ...jobOptionsOf(body), ...(body.webhook && { webhook: body.webhook }) },
  };
}

/** @throws AppError `invalid_request` for both rules or none */
export function assertOneRule(
  { cron, every_ms }: Pick<ScheduleBody, 'cron' | 'every_ms'>,
  place: 'body' | 'query',
): void {
  if ((cron === undefined) !== (every_ms === undefined)) return;
  const field = `${place}.cron`;
  const got = cron === undefined ? 'none' : 'both';
  throw new AppError('invalid_request', `${field}: expected cron or every_ms, got ${got}.`, { field });
}

export function scheduleView(schedule: Schedule): ScheduleView {
  return {
    name: schedule.name,
    owner: schedule.owner,
    queue: schedule.queue,
    version: schedule.version,
    payload: schedule.payload,
    cron: schedule.cron,
    every_ms: schedule.everyMs,
    zone: schedule.zone,
    overlap: schedule.overlap,
    missed: schedule.missed,
    missed_within_s: schedule.missedWithinS,
    options: schedule.options,
    made_by: schedule.madeBy,
    paused: schedule.paused,
    next_at: schedule.paused ? null : (schedule.nextAt?.toISOString() ?? null),
    last_at: schedule.lastAt?.toISOString() ?? null,
    last_job_id: schedule.lastJob,
    made_at: schedule.madeAt.toISOString(),
    changed_at: schedule.changedAt.toISOString(),
  };
}

export function runView({ at, outcome, job, state, reason }: ScheduleRunNow): ScheduleRunView {
  return { at: at.toISOString(), outcome, job_id: job, job_state: state, reason };
}
