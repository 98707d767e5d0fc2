import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { ingestChain } from '#src/analytics/feed/feed.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { generateChainCsv } from '#test/analytics/generate-chain.ts';
import { testWorld } from '#test/helpers/test-world.ts';

export const csvOf = (symbol: MarketSymbol, seed = 1) =>
  generateChainCsv({ symbol, at: Date.parse('2026-11-19T18:30:00Z'), seed });

/** The whole market surface on real servers: an API that listens, a fleet, a relay, and a feed to load. */
export async function market(settings: Readonly<Record<string, string>> = {}) {
  const world = await testWorld(settings, { name: 'analytics' });
  const { context } = world;
  return {
    ...world,
    /** Loads a chain into the feed and waits for its analytics. */
    feed: async (symbol: MarketSymbol, csv = csvOf(symbol)) => {
      const { id } = await ingestChain(context, symbol, csv);
      for (;;) {
        const job = await readJob(context, id);
        if (job?.state === 'failed') throw new Error(JSON.stringify(job.error));
        if (job?.state === 'succeeded') return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}
