import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type StreamedEvent, statusOf } from './api-client.ts';

/** Servers give a sign of life every 15 s unless they are set otherwise. */
const quietMs = 60_000;
const longestPauseMs = 10_000;

export interface LiveOptions {
  readonly signal: AbortSignal;
  /** Told, with a reason, each time that the stream is lost; it is tried again until it is back. */
  readonly onLost: (why: string) => void;
  /** Asked when the service has closed the stream: whether that was its end. */
  readonly isOver?: () => Promise<boolean>;
}

/**
 * The events of a stream across lost connections: each new one goes on behind the last event seen. Ends with the
 * signal, and where the service says that nothing comes any more.
 *
 * @throws AppError what the service refuses for good: a wrong key, or something that is not there.
 */
export async function* followLive(
  client: Client,
  path: string,
  { signal, onLost, isOver }: LiveOptions,
): AsyncGenerator<StreamedEvent> {
  let after: string | undefined;
  let retryMs = 1_000;
  for (let failures = 0; ; failures++) {
    let why = 'the service has closed it';
    let isAnswered = false;
    try {
      const onRetry = (ms: number) => {
        // the first thing that a stream says, and the last one of a server that stops
        isAnswered = true;
        retryMs = ms;
      };
      for await (const event of client.follow(path, { after, signal, quietMs, onRetry })) {
        failures = 0;
        after = event.id ?? after;
        yield event;
      }
      if (!isAnswered || (await isOver?.())) return;
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(statusOf(error))) throw error;
      why = error instanceof Error ? error.message : String(error);
    }
    if (signal.aborted) return;
    onLost(why);
    await sleep(Math.min(retryMs * 2 ** failures, longestPauseMs), undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}

/** Checks whether another try is pointless. */
function isFinal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}
