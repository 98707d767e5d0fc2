import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import Type from 'typebox';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { apart, payload, trivial } from '#bench/load/trivial.ts';
import { submit, submitMany } from '#src/jobs/submit/submit.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Submits trivial jobs of one owner at a steady rate, and says how long each waited. */
const context = await openContext(loadConfig(), 'api');
const waitRow = row(Type.Object({ wait: Type.Number(), ended: Type.Boolean() }));

interface Load {
  readonly owner: string;
  readonly count: number;
  /** Time that each job takes, without a processor. */
  readonly restMs: number;
}

const submissionOf = (owner: string, restMs: number) => ({
  principal: { owner, keyId: null },
  payload: { ...payload, restMs },
});

answerCalls({
  /** Answers the ms from the acceptance of each job to its start, once all have ended. */
  steady: async ({ owner, count, perSecond, restMs }: Load & { readonly perSecond: number }) => {
    const ids: string[] = [];
    const began = now();
    for (let n = 0; n < count; n++) {
      const { job } = await submit(context, trivial, submissionOf(owner, restMs));
      ids.push(job.id);
      await sleep(Math.max(0, began + ((n + 1) * 1_000) / perSecond - now()));
    }
    for (;;) {
      const rows = await context.db.any(sql.type(waitRow)`
        select coalesce(extract(epoch from started_at - created_at)::float8 * 1000, 0) as wait, finished_at is not null as ended
        from jobs where id = any(${sql.array(ids, 'uuid')})`);
      if (rows.every(({ ended }) => ended)) return rows.map(({ wait }) => wait);
      await sleep(20);
    }
  },
  /** Accepts so many jobs of an owner as fast as it can. */
  flood: async ({ owner, count, restMs, isApart }: Load & { readonly isApart: boolean }) => {
    const submission = submissionOf(owner, restMs);
    for (let left = count; left > 0; left -= 1_000)
      await submitMany(
        context,
        Array.from({ length: Math.min(left, 1_000) }, () => ({ queue: isApart ? apart : trivial, submission })),
      );
  },
});
