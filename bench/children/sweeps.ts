import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { trivial } from '#bench/load/trivial.ts';
import { auditBroker, type Missing } from '#src/jobs/feed/audit.ts';
import { releaseOrphans } from '#src/jobs/run/release.ts';
import { look, lookSession } from '#src/jobs/wake/waker.ts';
import { endOverdue } from '#src/jobs/workers/overdue.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';

/** The looks that the leader takes all the time: for what fell, what the broker has lost, and what is to be woken. */
const context = await openContext(loadConfig(), 'api');

answerCalls({
  /** Milliseconds of `count` rounds of each loop. Each has a connection of its own, as the leader's have. */
  sweep: async (count: number) => {
    const [watch, audit, wake] = await Promise.all([open('watch'), open('audit'), open('wake')]);
    await wake.query(lookSession);
    const missing: Missing = new Map();
    const loops = {
      watch: async () => {
        await releaseOrphans(context, watch, true, []);
        await endOverdue(context, watch);
      },
      audit: () => auditBroker(context, audit, [trivial.name], missing),
      wake: () => wake.query(look),
    };
    const times: Record<string, number[]> = { watch: [], audit: [], wake: [] };
    for (let round = 0; round < count; round++)
      for (const [name, run] of Object.entries(loops)) {
        const from = now();
        await run();
        times[name]?.push(now() - from);
      }
    await Promise.all([watch, audit, wake].map(endDirect));
    return times;
  },
});

async function open(name: string) {
  return await openDirect(context.config, name, () => {});
}
