import { ROW_BYTES } from '#src/jobs/contents/content.ts';
import type { WantedSchedule } from '#src/jobs/schedules/put-schedule.ts';
import type { Schedule } from '#src/jobs/schedules/schedule-row.ts';
import { AppError } from '#src/lib/errors.ts';
import type { ScheduleBody, ScheduleView } from './schedule-body.ts';

const DAY_S = 86_400;

/**
 * A schedule as it is stored, with the defaults of what its body leaves out.
 *
 * @throws AppError `invalid_request` for both rules or none, `payload_too_large`
 */
export function wantedOf(
  body: ScheduleBody,
  made: Pick<WantedSchedule, 'owner' | 'name' | 'madeBy' | 'keyId'>,
): WantedSchedule {
  const { queue, payload, version = null, cron, every_ms, zone = 'UTC', overlap = 'skip', missed = 'last' } = body;
  const { missed_within_s = DAY_S, priority, group, metadata, receipt, approval, budget, unique } = body;
  if ((cron === undefined) === (every_ms === undefined))
    throw new AppError(
      'invalid_request',
      `body.cron: expected cron or every_ms, got ${cron === undefined ? 'none' : 'both'}.`,
      {
        field: 'body.cron',
      },
    );
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
    options: {
      ...(priority !== undefined && { priority }),
      ...(group !== undefined && { group }),
      ...(metadata !== undefined && { metadata }),
      ...(receipt !== undefined && { receipt }),
      ...(approval !== undefined && { approval }),
      ...(budget !== undefined && { budget }),
      ...(unique !== undefined && { unique }),
    },
  };
}

export function scheduleView(schedule: Schedule): ScheduleView {
  return {
    name: schedule.name,
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
