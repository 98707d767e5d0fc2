import type { QueueContract } from '#queues/define.ts';
import { type Misfit, misfit } from '#queues/misfit.ts';
import { tooLarge } from '#queues/too-large.ts';
import { type JobMessage, jobChannel } from '#src/jobs/model/channels.ts';
import type { Context } from '#src/system/context.ts';
import { publisherOf } from '#src/system/redis/redis-cluster.ts';

/**
 * Tells followers how far a job is. Transient: not kept, lost while Redis is away, and newest per key wins on the way,
 * so a processor may call it as often as it likes.
 */
export function openProgress(
  { redis, config, log }: Pick<Context, 'redis' | 'config' | 'log'>,
  job: string,
): (key: string, data: unknown) => void {
  const newest = new Map<string, unknown>();
  let sending = false;
  const send = async () => {
    while (newest.size > 0) {
      const messages = [...newest].map(([key, data]) =>
        JSON.stringify({ type: 'progress', key, data } satisfies JobMessage),
      );
      newest.clear();
      for (const message of messages) await publisherOf(redis).publish(jobChannel(config, job), message);
    }
  };
  return (key, data) => {
    newest.set(key, data);
    if (sending) return;
    sending = true;
    void send()
      .catch((error: unknown) => log.debug({ err: error, job }, 'progress was lost'))
      .finally(() => {
        sending = false;
      });
  };
}

/**
 * Tells followers how far a job is, in what its contract takes: by schema and by size, wherever the job runs.
 *
 * @returns a function that tells what fits, and answers what does not; opened with the first progress, since most jobs
 *   have none
 */
export function openCheckedProgress(
  context: Pick<Context, 'redis' | 'config' | 'log'>,
  queue: QueueContract,
  job: string,
): (key: string, data: unknown) => Misfit | null {
  let publish: ReturnType<typeof openProgress> | undefined;
  return (key, data) => {
    const wrong = tooLarge(queue, 'progress', data) ?? misfit(queue.progress, data);
    if (wrong) return wrong;
    publish ??= openProgress(context, job);
    publish(key, data);
    return null;
  };
}
