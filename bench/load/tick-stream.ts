import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { now } from '#bench/lib/clock.ts';
import type { StreamEvent, StreamSource } from '#src/http/streams/stream-source.ts';
import type { Context } from '#src/system/context.ts';

/** Stands once in every message and nowhere else, so that messages are counted by bytes; not the low byte of a frame's length either. */
export const mark = '|';
/** Bytes of one message as it is published. */
const MESSAGE_BYTES = 300;

export const tickChannel = 'bench:ticks';
const epoch = 'bench';

/** A message of 300 bytes that carries its time of birth. */
export function tick(n: number): StreamEvent & { readonly epoch: string } {
  const at = new Date().toISOString();
  const t = now();
  const event = (pad: string) => ({ epoch, n, type: 'tick', at, data: { t, text: mark + pad } });
  const size = JSON.stringify(event('')).length;
  return event('x'.repeat(Math.max(0, MESSAGE_BYTES - size)));
}

/**
 * Publishes ticks at a fixed rate, from a process of its own: one in the server's would slow down with it and hide that it
 * falls behind. Late ones are sent at once; nothing is waited for. Answers how many.
 */
export async function publishTicks(redis: Redis, perSecond: number, seconds: number): Promise<number> {
  const from = now();
  const total = Math.round(perSecond * seconds);
  const before = await redis.llen(tickChannel);
  const sending: Promise<unknown>[] = [];
  for (let sent = 1; sent <= total; sent++) {
    const text = JSON.stringify(tick(before + sent));
    sending.push(redis.rpush(tickChannel, text), redis.publish(tickChannel, text));
    await sleep(Math.max(0, from + (sent / perSecond) * 1_000 - now()));
  }
  await Promise.all(sending);
  return total;
}

/** A stream of durable numbered messages over the hub, kept in Redis where a job's are read from the ledger. */
export function tickStream({ redis }: Context): StreamSource {
  const position = async () => ({ epoch, n: await redis.llen(tickChannel), ended: false });
  return {
    channel: tickChannel,
    key: 'ticks',
    kind: { name: 'ticks', positions: async () => new Map([['ticks', await position()]]), ends: () => false },
    replay: async (after, limit) => {
      const texts = await redis.lrange(tickChannel, after, after + limit - 1);
      return texts.map((text) => JSON.parse(text) as StreamEvent);
    },
    snapshot: async () => ({ ...(await position()), data: null }),
  };
}
