import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ReceivedMessage } from '#bench/children/market-clients.ts';
import { startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import { percentile } from '#bench/lib/statistics.ts';
import { startSystem } from '#bench/lib/system.ts';
import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';

interface TickRequest {
  readonly symbol: string;
  /** Instant of the market, and time of the request, both epoch milliseconds. */
  readonly at: number;
  readonly order: number;
  readonly full: boolean;
}

const GETS_PER_SECOND = 50;
const sections = ['gex', 'levels', 'regime', 'surface', 'vcm', 'darkpool'];
const paths = marketSymbols.flatMap((symbol) => sections.map((section) => `/v1/${section}/${symbol}`));

/** The live market as it starts by default: six symbols, one tick of each a second, every figure of each every five. */
export const live: Claim = async (servers, { quick, say }) => {
  const seconds = quick ? 10 : 90;
  const fresh = await servers.fresh('ours');
  const env = { ...fresh, FEED: 'synthetic' };
  await using system = await startSystem(env);
  await using clients = await startHelper(new URL('../children/market-clients.ts', import.meta.url), env);
  await clients.call('follow', { url: system.url, symbols: marketSymbols });
  say('  the first figures of every symbol');
  const figured = new Set<string>();
  while (figured.size < marketSymbols.length) {
    await sleep(200);
    const { heard } = await clients.call<{ heard: ReceivedMessage[] }>('take');
    for (const { symbol, type } of heard) if (type === 'signals') figured.add(symbol);
  }
  await sleep(quick ? 0 : 20_000);
  const from = Date.now();
  await clients.call('take');
  await clients.call('read', { url: system.url, paths, perSecond: GETS_PER_SECOND, seconds });
  const until = Date.now();
  // the last ticks are under way
  await sleep(2_000);
  const { heard, gets } = await clients.call<{ heard: ReceivedMessage[]; gets: number[] }>('take');
  const requested = (await requestedTicks(fresh['DATABASE_URL'] ?? '')).filter(
    ({ order }) => order > from && order < until,
  );
  const last = latencies(requested, heard, 'regime');
  const kinds = [
    ['every tick, to the last of its messages', requested, last],
    ['ticks of the stream alone', requested.filter(({ full }) => !full), null],
    ['ticks with every figure', requested.filter(({ full }) => full), null],
  ] as const;
  const full = requested.filter((one) => one.full);
  const rows = kinds.map(([name, ticks, known]) =>
    timesRow(name, ticks.length, known ?? latencies(ticks, heard, 'regime')),
  );
  rows.push(timesRow('every figure answered, signals published', full.length, latencies(full, heard, 'signals')));
  rows.push(timesRow(`GET of ${sections.length} sections, ${GETS_PER_SECOND} a second`, gets.length, gets));
  const due = Math.floor((until - from) / 1_000) * marketSymbols.length;
  const tickP99 = percentile(last, 0.99);
  const getP99 = percentile(gets, 0.99);
  return {
    title: 'Live market: six symbols at one tick a second',
    body: [
      `${seconds} seconds of the default market (about 1,500 contracts a symbol, every figure of each symbol every five seconds) in one API and one worker process, while days of its history are filled, one after the other. A tick's time runs from when the feed asks for it to when its last message has come to a WebSocket of another process. Of ${due} ticks due ${requested.length} were requested for: a symbol is passed over while its last tick runs. Milliseconds.`,
      table(['what', 'count', 'p50', 'p95', 'p99', 'slowest'], rows),
    ].join('\n\n'),
    verdicts: [
      {
        promise: 'six symbols at one tick a second: tick to message at most 250 ms at p99',
        measured: `${figure(tickP99)} ms (${last.length} of ${requested.length} published)`,
        held: tickP99 <= 250 && last.length === requested.length && requested.length > 0.95 * due,
      },
      {
        promise: 'GET of a section beside running ticks: at most 5 ms at p99',
        measured: `${figure(getP99)} ms`,
        held: getP99 <= 5,
      },
    ],
  };
};

async function requestedTicks(connectionString: string): Promise<TickRequest[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ payload: TickRequest }>(
      `select payload from jobs where queue = 'analytics.tick' order by created_at`,
    );
    return rows.map(({ payload }) => payload);
  } finally {
    await client.end();
  }
}

/** Milliseconds from the request of each tick to its message of a type; ticks without one are left out. */
export function latencies(
  requested: readonly Omit<TickRequest, 'full'>[],
  heard: readonly ReceivedMessage[],
  type: string,
): number[] {
  const name = (symbol: string, at: number) => `${symbol} ${at}`;
  const came = new Map(
    heard.filter((one) => one.type === type).map(({ symbol, asOf, at }) => [name(symbol, Date.parse(asOf)), at]),
  );
  return requested.flatMap(({ symbol, at, order }) => {
    const arrived = came.get(name(symbol, at));
    return arrived === undefined ? [] : [arrived - order];
  });
}

/** A row of percentiles: what, how many, p50, p95, p99, slowest. */
export function timesRow(name: string, count: number, times: readonly number[]): string[] {
  return [name, String(count), ...[0.5, 0.95, 0.99, 1].map((share) => figure(percentile(times, share)))];
}
