import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedMessage } from '#bench/children/market-clients.ts';
import { startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import { percentile } from '#bench/lib/statistics.ts';
import { startSystem } from '#bench/lib/system.ts';
import { latencies, timesRow } from './live.ts';

/** Requested with 20,000, the chain of this symbol has 20,600 contracts. */
const symbol = 'NDX';

/** Ticks of one symbol with 20,000 contracts, one a second. */
export const largeTick: Claim = async (servers, { quick, say }) => {
  const count = quick ? 5 : 60;
  const env = { ...(await servers.fresh('ours')), FEED_CONTRACTS: '20000' };
  await using system = await startSystem(env);
  await using clients = await startHelper(new URL('../children/market-clients.ts', import.meta.url), env);
  await clients.call('follow', { url: system.url, symbols: [symbol] });
  const ask = async (full: boolean) => {
    const { order, at } = await clients.call<{ order: number; at: number }>('tick', { symbol, full });
    await sleep(1_000);
    return { symbol, order, at };
  };
  say('  warm-up');
  for (let index = 0; index < (quick ? 5 : 15); index++) await ask(false);
  await clients.call('take');
  const requested: { symbol: string; order: number; at: number }[] = [];
  for (let index = 0; index < count; index++) requested.push(await ask(false));
  const { heard } = await clients.call<{ heard: ReceivedMessage[] }>('take');
  const times = latencies(requested, heard, 'regime');
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  return {
    title: 'One tick of one symbol with 20,000 contracts',
    body: [
      'From when the tick is requested, through the job and its thread, to its last message at a WebSocket of another process: the quotes of every contract are made, its volatilities solved, and its exposures, profile, flips, levels and regime computed. Milliseconds.',
      table(
        ['what', 'count', 'p50', 'p95', 'p99', 'slowest'],
        [timesRow(`${symbol}, one tick a second`, requested.length, times)],
      ),
    ].join('\n\n'),
    verdicts: [
      {
        promise: 'one tick of 20,000 contracts to its WebSocket message: at most 100 ms (p95)',
        measured: `${figure(p50)} ms p50, ${figure(p95)} ms p95`,
        held: p95 <= 100 && times.length === requested.length,
      },
    ],
  };
};
