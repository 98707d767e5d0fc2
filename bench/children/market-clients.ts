import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { answerCalls } from '#bench/lib/calls.ts';
import { tick } from '#queues/analytics.ts';
import { createKey } from '#src/access/keys/keys.ts';
import { feedTime } from '#src/analytics/domain/calendar/feed-clock.ts';
import { feedOwner } from '#src/analytics/feed/feed.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';

/** A message of a symbol's stream, by the instant of the market it tells of, and when it came (epoch milliseconds). */
export interface ReceivedMessage {
  readonly symbol: string;
  readonly asOf: string;
  readonly type: string;
  readonly at: number;
}

/** Followers of the live market: WebSockets that note when each message comes, and readers that time each GET. */
const context = await openContext(loadConfig(), 'bench');
const { secret } = await createKey(context, { owner: 'bench', name: 'bench', scopes: [], tier: 'high' });
const headers = { authorization: `Bearer ${secret}` };
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

let heard: ReceivedMessage[] = [];
let gets: number[] = [];

answerCalls({
  follow: async ({ url, symbols }: { url: string; symbols: readonly string[] }) => {
    await Promise.all(symbols.map((symbol) => follow(url, symbol)));
  },
  /**
   * Reads the paths in turn at a fixed rate, whatever becomes of those before; each time counts from when it was due.
   */
  read: async ({ url, paths, perSecond, seconds }: Reading) => {
    const from = performance.now();
    const reading: Promise<void>[] = [];
    for (let index = 0; index < perSecond * seconds; index++) {
      const due = from + (index / perSecond) * 1_000;
      await sleep(Math.max(0, due - performance.now()));
      reading.push(read(`${url}${paths[index % paths.length]}`));
    }
    await Promise.all(reading);
  },
  take: () => {
    const taken = { heard, gets };
    heard = [];
    gets = [];
    return taken;
  },
  /** Asks for one tick of a symbol as the feed does; answers with the time of the request and the requested instant. */
  tick: async ({ symbol, full }: { symbol: string; full: boolean }) => {
    const now = Date.now();
    const at = feedTime(now);
    await submit(context, tick, {
      principal: feedOwner,
      payload: { symbol, at, order: now, full, keep: false },
      idempotencyKey: `tick ${symbol} ${now}`,
    });
    return { order: now, at };
  },
});

interface Reading {
  readonly url: string;
  readonly paths: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

async function follow(url: string, symbol: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/v1/stream/${symbol}`, { headers });
  socket.on('message', (text: Buffer) => {
    const at = Date.now();
    const { type, data } = JSON.parse(text.toString()) as { type: string; data: { as_of?: string } | null };
    if (data?.as_of !== undefined) heard.push({ symbol, asOf: data.as_of, type, at });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
}

async function read(url: string): Promise<void> {
  const since = performance.now();
  await new Promise<void>((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`expected 200 of ${url}, got ${response.statusCode}`));
      });
    }).once('error', reject);
  });
  gets.push(performance.now() - since);
}
