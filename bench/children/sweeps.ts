import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { trivial } from '#bench/load/trivial.ts';
import { auditBroker, type Missing } from '#src/jobs/feed/audit.ts';
import { listJobs } from '#src/jobs/read/read-jobs.ts';
import { searchJobs } from '#src/jobs/read/search-jobs.ts';
import { releaseOrphans, watchSession } from '#src/jobs/run/release.ts';
import { forgetJobs } from '#src/jobs/sweep/forget-jobs.ts';
import { look, lookSession } from '#src/jobs/wake/waker.ts';
import { endOverdue } from '#src/jobs/workers/overdue.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { openDirect } from '#src/system/postgres/direct-postgres.ts';

/**
 * The looks that the leader takes all the time: for what fell, what the broker has lost, what is to be woken and what is to
 * be forgotten; and those of people: lists and a search.
 */
const context = await openContext(loadConfig(), 'api');

// each has a connection of its own, as the leader's have
const [watch, audit, wake, forget] = await Promise.all(
  ['watch', 'audit', 'wake', 'forget'].map(async (name) => await openDirect(context.config, name, () => {})),
);
await watch!.query(watchSession);
await wake!.query(lookSession);
const LONGEST_MS = 10_000;
const missing: Missing = new Map();
const loops: Readonly<Record<string, () => Promise<unknown>>> = {
  watch: async () => {
    await releaseOrphans(context, watch!, true, []);
    await endOverdue(context, watch!);
  },
  audit: () => auditBroker(context, audit!, [trivial.name], missing),
  wake: () => wake!.query(look),
  forget: () => forgetJobs(context, forget!, performance.now() + LONGEST_MS),
  list: () => listJobs(context, { owner: 'bench', queue: trivial.name, limit: 50 }),
  listAll: () => listJobs(context, { owner: null, queue: trivial.name, limit: 50 }),
  search: () => searchJobs(context, { owner: 'bench', queue: trivial.name, limit: 50, text: 'text' }),
};

answerCalls({
  /** Milliseconds of `count` rounds of each. */
  look: async (count: number) => {
    const times: Record<string, number[]> = Object.fromEntries(Object.keys(loops).map((name) => [name, []]));
    for (let round = 0; round < count; round++)
      for (const [name, run] of Object.entries(loops)) {
        const from = now();
        await run();
        times[name]?.push(now() - from);
      }
    return times;
  },
});
