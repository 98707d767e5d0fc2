import type { fit } from '#queues/analytics.ts';
import { readChain, saveAnalytics } from '#src/analytics/chain-store.ts';
import { tellMarket } from '#src/analytics/tell-market.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Processor } from '#workers/processor.ts';
import { advUsdOf } from './adv.ts';
import type { FitTask, Fitted } from './fit-chain.thread.ts';
import { loadChain } from './load-chain.ts';

const analyse = new URL('./fit-chain.thread.ts', import.meta.url);

/** Computes a chain's analytics in a thread and keeps them; a chain of the feed is told to its symbol's stream as well. */
export const fitChainProcessor: Processor<typeof fit> = async ({ payload, emit, signal, context, threads }) => {
  const { chainId } = payload;
  emit({ stage: 'loading' });
  const stored = await readChain(context, chainId);
  if (!stored)
    throw new AppError('no_chain', 'The chain of this job is no longer stored; submit the chain again.', {
      chain: chainId,
    });
  const chain = await loadChain(context)(chainId);
  // computed for another job before
  if (stored.analytics && stored.owner !== null) return stored.analytics;
  emit({ stage: 'computing' });
  const feed = stored.owner === null ? 'configured' : 'own';
  const task = { chain, advUsd: advUsdOf(chain.symbol), feed } satisfies FitTask;
  const { analytics, answers } = await threads.run<Fitted>(analyse, task, signal);
  await saveAnalytics(context, chainId, analytics, answers);
  if (stored.owner === null)
    await tellMarket(context, { id: chainId, order: stored.givenAt.getTime(), analytics, answers });
  return analytics;
};
