import type { fit } from '#queues/analytics.ts';
import { forgetChain, readStoredChain, type StoredChain, saveAnalytics } from '#src/analytics/chains/chain-store.ts';
import { type Chain, isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import { feedOwner } from '#src/analytics/feed/feed.ts';
import { feedPast, sessionSpots } from '#src/analytics/feed/feed-past.ts';
import { keepMorning, readMorning } from '#src/analytics/history/flow-store.ts';
import { publishUnfit } from '#src/analytics/live/feed-freshness.ts';
import { readRegimes } from '#src/analytics/live/market-state.ts';
import { publishMarket } from '#src/analytics/live/publish-market.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import type { Processor } from '#workers/run/processor.ts';
import { advUsdOf } from './adv.ts';
import type { FeedFacts, FitTask, Fitted } from './fit-chain.thread.ts';
import { loadChain } from './load-chain.ts';
import { keepFigures, takeFigures } from './take-figures.ts';

const analyse = new URL('./fit-chain.thread.ts', import.meta.url);

/**
 * Computes a chain's analytics in a thread and keeps them. One of the feed is published to its symbol's stream as well,
 * makes signals, and becomes part of the history, as a tick of the synthetic market does.
 */
export const fitChainProcessor: Processor<typeof fit> = async ({ payload, emit, signal, job, context, threads }) => {
  const { chainId } = payload;
  emit({ stage: 'loading' });
  const stored = await readStoredChain(context, chainId);
  if (!stored)
    throw new AppError('no_chain', 'The chain of this job is no longer stored; submit the chain again.', {
      chain: chainId,
    });
  const chain = await loadChain(context)(chainId);
  // computed before, perhaps by a tick, which knows the tapes of its market; only the feed itself gives a chain once more
  if (stored.analytics && (stored.owner !== null || job.owner !== feedOwner.owner)) return stored.analytics;
  emit({ stage: 'computing' });
  const facts = stored.owner === null ? await factsOf(context, chain) : null;
  const task = { chain, advUsd: advUsdOf(chain.symbol), facts } satisfies FitTask;
  const fitted = await threads.run<Fitted>(analyse, task, signal).catch(async (error: unknown) => {
    if (stored.owner === null && isUnfit(error)) await putAside(context, stored);
    throw error;
  });
  const { analytics, answers } = fitted;
  if (stored.owner === null) await takeIn(context, stored, fitted);
  else await saveAnalytics(context, chainId, analytics, answers);
  return analytics;
};

/** Reads the facts about a feed beside its chain. */
export async function factsOf(context: Context, chain: Chain): Promise<FeedFacts> {
  const { symbol } = chain;
  const folder = context.config.FEED_FOLDER || null;
  const when = { symbol, at: Date.parse(chain.asOf), synthetic: isSynthetic(chain) };
  // tapes are of real markets
  const isTaped = folder !== null && !when.synthetic;
  const [previousRegimes, past, spots, morning] = await Promise.all([
    readRegimes(context, symbol),
    feedPast(context, when),
    sessionSpots(context, when),
    isTaped ? readMorning(context, symbol) : null,
  ]);
  return {
    ...past,
    spots,
    folder: isTaped ? folder : null,
    morning,
    previousRegimes,
  };
}

function isUnfit(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid_chain';
}

/**
 * A chain of the feed from which nothing can be computed: the one before is the newest again, and its answers say why.
 */
async function putAside(context: Context, { id, symbol }: StoredChain): Promise<void> {
  await forgetChain(context, id);
  await publishUnfit(context, symbol);
}

async function takeIn(context: Context, { id, givenAt, analytics: known }: StoredChain, fitted: Fitted): Promise<void> {
  const { analytics, morning, problems } = fitted;
  for (const problem of problems)
    context.log.warn({ symbol: analytics.symbol, problem }, 'a file of the feed is not used');
  if (morning) await keepMorning(context, analytics.symbol, morning);
  await keepFigures(context, fitted, givenAt);
  const news = { id, order: givenAt.getTime() };
  await publishMarket(context, { ...news, analytics });
  const { isNews, answers } = await takeFigures(context, fitted, news);
  // run again it makes no signals: the first ones stay
  if (isNews || !known) await saveAnalytics(context, id, analytics, answers);
}
