import type { Client } from 'pg';
import { take } from '#queues/analytics.ts';
import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { feedOwner } from './feed.ts';
import { readPollState } from './poll-state.ts';
import { symbolsTaken } from './symbols-taken.ts';

/** Asks for at most one symbol's document in each round, of those whose time has come: they never come all at once. */
export function openPolledFeed(context: Context, client: Client): (now: number) => Promise<void> {
  return async (now) => {
    const underWay = await symbolsTaken(client);
    const idle = marketSymbols.filter((symbol) => !underWay.has(symbol));
    const states = await Promise.all(idle.map((symbol) => readPollState(context, symbol)));
    const due = idle
      .map((symbol, index) => ({ symbol, from: states[index]?.notBefore ?? 0 }))
      .filter(({ from }) => from <= now)
      .toSorted((a, b) => a.from - b.from)[0];
    if (due) await submit(context, take, { principal: feedOwner, payload: { symbol: due.symbol } });
  };
}
