import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { isTerminal } from '#src/jobs/states.ts';
import type { Random } from './random.ts';
import type { ChaosSystem } from './system.ts';

/** What one subscriber of one job saw, over all its connections. */
export interface Followed {
  readonly id: string;
  /** `id` of each durable event, in order of arrival. */
  readonly seen: string[];
  readonly resets: string[];
  connections: number;
  ended: boolean;
  /** Epoch ms. */
  endedAt: number;
}

/** A stream that is silent for this long, heartbeats included, is given up by its client. */
const silenceMs = 2_500;

/**
 * Follows a job as a browser would: by SSE from a server of its choice, cut off now and then, coming back with the last id
 * it saw, until the final event or `signal`.
 */
export async function follow(
  system: ChaosSystem,
  random: Random,
  followed: Followed,
  signal: AbortSignal,
): Promise<void> {
  while (!followed.ended && !signal.aborted) {
    followed.connections++;
    // about every second connection is cut after a few events
    const cutAfter = random.chance(0.5) ? random.whole(1, 3) : Number.POSITIVE_INFINITY;
    await connectOnce(system, random, followed, cutAfter, signal).catch(() => {});
    if (!followed.ended) await sleep(random.whole(10, 200));
  }
}

async function connectOnce(
  { apiUrls, key }: ChaosSystem,
  random: Random,
  followed: Followed,
  cutAfter: number,
  signal: AbortSignal,
): Promise<void> {
  const cut = new AbortController();
  let watchdog = setTimeout(() => cut.abort(), silenceMs);
  let left = cutAfter;
  const parser = createParser({
    onEvent: ({ id, event = '', data }) => {
      if (cut.signal.aborted) return;
      if (event === 'reset') followed.resets.push(data);
      if (id === undefined) return;
      followed.seen.push(id);
      if (isTerminal(event)) finish(followed);
      if (--left === 0) cut.abort();
    },
  });
  const last = followed.seen.at(-1);
  try {
    const answer = await fetch(`${random.pick(apiUrls)}/v1/jobs/${followed.id}/events`, {
      headers: { authorization: `Bearer ${key}`, ...(last !== undefined && { 'last-event-id': last }) },
      signal: AbortSignal.any([cut.signal, signal]),
    });
    // told to stop: what we saw was the end, which the check compares with the ledger
    if (answer.status === 204) finish(followed);
    if (answer.status !== 200 || !answer.body) return;
    for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => cut.abort(), silenceMs);
      parser.feed(text);
    }
  } finally {
    clearTimeout(watchdog);
  }
}

function finish(followed: Followed): void {
  followed.ended = true;
  followed.endedAt = Date.now();
}
