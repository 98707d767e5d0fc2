import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { ingestChain } from '#src/analytics/feed/feed.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { generateChainCsv } from '#test/analytics/generate-chain.ts';
import { testApi } from '#test/http/api.ts';
import { handlers } from '#workers/handlers.ts';
import { startFleet } from '#workers/run/fleet.ts';

export const csvOf = (symbol: MarketSymbol, seed = 1) =>
  generateChainCsv({ symbol, at: Date.parse('2026-11-19T18:30:00Z'), seed });

/** The whole market surface on real servers: an API that listens, a fleet, a relay, and a feed to load. */
export async function market(settings: Readonly<Record<string, string>> = {}) {
  const api = await testApi(settings);
  startRelay(api.context);
  startSweep(api.context);
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const fleet = await startFleet(api.context, {
    name: 'analytics',
    handlers,
    module: new URL('../../workers/handlers.ts', import.meta.url),
  });
  const call = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const isText = typeof body === 'string';
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && !('content-type' in headers) && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  return {
    ...api,
    url,
    call,
    /** Loads a chain into the feed and waits for its analytics. */
    feed: async (symbol: MarketSymbol, csv = csvOf(symbol)) => {
      const { id } = await ingestChain(api.context, symbol, csv);
      for (;;) {
        const job = await readJob(api.context, id);
        if (job?.state === 'failed') throw new Error(JSON.stringify(job.error));
        if (job?.state === 'succeeded') return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    [Symbol.asyncDispose]: async () => {
      await fleet.drain();
      await api[Symbol.asyncDispose]();
    },
  };
}
