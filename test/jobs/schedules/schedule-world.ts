import { sql } from 'slonik';
import Type from 'typebox';
import { expect } from 'vitest';
import { admitWork } from '#src/access/quota.ts';
import { runDue } from '#src/jobs/schedules/run-due.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

/** An API with schedules of owner-1, looked at by hand and by another clock. */
export interface ScheduleWorld extends RemoteApi {
  /** Makes a schedule as if it had been made at an instant: its next time is the first after that. */
  readonly schedule: (name: string, rule: object, at: Date, next: Date) => Promise<void>;
  /** Looks for what is due at an instant until nothing is. */
  readonly look: (at: Date) => Promise<void>;
  /** The times of a schedule that are over, the oldest first, each as its instant and its outcome. */
  readonly runs: (name: string) => Promise<readonly (readonly [at: string, outcome: string])[]>;
}

const Run = Type.Object({ at: Type.Unsafe<Date>({}), outcome: Type.String() });

export async function scheduleWorld(): Promise<ScheduleWorld> {
  const api = await remoteApi({ LEASE_MS: '60000', OWNER_QUEUE_DEPTH: '1000000' });
  const admit = admitWork(api.context);
  return {
    ...api,
    schedule: async (name, rule, at, next) => {
      const body = { queue: 'acme.resize-image', payload: { width: 7 }, ...rule };
      const answer = await api.call('PUT', `/v1/schedules/${name}`, body);
      expect([answer.statusCode, answer.body]).toEqual([201, answer.body]);
      await api.context.db.query(sql.unsafe`
        update schedules set made_at = ${at.toISOString()}, next_at = ${next.toISOString()} where name = ${name}`);
    },
    look: async (at) => {
      while ((await runDue(api.context, admit, at)) > 0);
    },
    runs: async (name) => {
      const found = await api.context.db.any(sql.type(row(Run))`
        select at, outcome from schedule_runs where schedule = ${name} order by at`);
      return found.map(({ at, outcome }) => [at.toISOString(), outcome] as const);
    },
  };
}
