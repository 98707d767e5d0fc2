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
