import type { Position, StreamKind, StreamSource } from '#src/http/streams/stream-source.ts';
import { lastNumbers, openEvents, readEvents } from '#src/jobs/ledger/ledger.ts';
import { jobChannel } from '#src/jobs/model/channels.ts';
import { readEpoch } from '#src/jobs/model/epoch.ts';
import { jobView } from '#src/jobs/model/job-view.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

const jobStreams = perContext((context): StreamKind => {
  const positions = async (ids: readonly string[]): Promise<ReadonlyMap<string, Position>> => {
    const [epoch, numbers] = await Promise.all([readEpoch(context), lastNumbers(context, ids)]);
    return new Map([...numbers].map(([id, { n, state }]) => [id, { epoch, n, ended: isTerminal(state) }]));
  };
  return { name: 'job', positions, ends: isTerminal };
});

/** The stream of one job. Its caller has checked that the client may see the job. */
export function jobStream(context: Context, id: string): StreamSource {
  return {
    channel: jobChannel(context.config, id),
    kind: jobStreams(context),
    key: id,
    open: async (after, limit) => {
      const found = await openEvents(context, id, after, limit);
      if (!found) return null;
      const epoch = found.epoch ?? (await readEpoch(context));
      return { position: { epoch, n: found.n, ended: isTerminal(found.state) }, events: found.events };
    },
    replay: (after, limit) => readEvents(context, id, after, limit),
    // a payload or result that lies beside its row is null here: it would be more than a client may be behind by
    snapshot: async () => {
      const [epoch, job] = await Promise.all([readEpoch(context), readJob(context, id)]);
      return job && { epoch, n: job.events, ended: isTerminal(job.state), data: jobView(job) };
    },
  };
}
