import type { Answer } from '#console/api/client.ts';

export type Schedule = Answer<'GET /v1/schedules/{name}'>;
export type ScheduleItem = Answer<'GET /v1/schedules'>['data'][number];
export type Run = Schedule['runs'][number];

/** Rule of a schedule in words: its pattern and zone, or its interval. */
export function ruleText({ cron, every_ms: every, zone }: Pick<Schedule, 'cron' | 'every_ms' | 'zone'>): string {
  return cron === null ? `every ${(every ?? 0) / 1_000} s` : `${cron} ${zone}`;
}
