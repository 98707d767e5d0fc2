import { jobChannel } from '#src/jobs/channels.ts';
import { readEpoch } from '#src/jobs/epoch.ts';
import { lastNumbers, readEvents } from '#src/jobs/ledger.ts';
import { readJob } from '#src/jobs/read-jobs.ts';
import { isTerminal } from '#src/jobs/states.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { jobView } from './job-view.ts';
import type { Position, StreamKind, StreamSource } from './stream-source.ts';

const jobStreams = perContext((context): StreamKind => {
  const positions = async (ids: readonly string[]): Promise<ReadonlyMap<string, Position>> => {
    const [epoch, numbers] = await Promise.all([readEpoch(context), lastNumbers(context, ids)]);
    return new Map([...numbers].map(([id, { n, state }]) => [id, { epoch, n, ended: isTerminal(state) }]));
  };
  return { name: 'job', positions, ends: isTerminal };
});

/** The stream of one job. Whoever makes one has checked that the caller may see the job. */
export function jobStream(context: Context, id: string): StreamSource {
  return {
    channel: jobChannel(context.config, id),
    kind: jobStreams(context),
    key: id,
    replay: (after, limit) => readEvents(context, id, after, limit),
    snapshot: async () => {
      const [epoch, job] = await Promise.all([readEpoch(context), readJob(context, id)]);
      return job && { epoch, n: job.events, ended: isTerminal(job.state), data: jobView(job) };
    },
  };
}
