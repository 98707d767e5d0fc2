import type { ask } from '#queues/analytics.ts';
import { answerField } from '#src/analytics/answers/sections.ts';
import { readStoredChain } from '#src/analytics/chains/chain-store.ts';
import { type Chain, isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import { isMarketSymbol, type MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Processor, Run } from '#workers/run/processor.ts';
import { advUsdOf } from './adv.ts';
import type { FigureTask } from './figure-market.thread.ts';
import type { FitTask, Fitted } from './fit-chain.thread.ts';
import { factsOf } from './fit-chain.ts';
import { loadChain } from './load-chain.ts';
import type { FeedFigures } from './take-figures.ts';

const analyse = new URL('./fit-chain.thread.ts', import.meta.url);
const figure = new URL('./figure-market.thread.ts', import.meta.url);

/** Computes a stored chain once more with the requested models, and keeps nothing of it but the answer. */
export const askModelProcessor: Processor<typeof ask> = async (run) => {
  const { payload, context } = run;
  const { chainId, section, generation } = payload;
  const stored = await readStoredChain(context, chainId);
  if (!stored)
    throw new AppError('no_chain', 'The chain of this job is no longer stored; ask again.', { chain: chainId });
  const chain = await loadChain(context)(chainId);
  const { answers } = await figuresOf(run, chain, stored.owner);
  const text = answers.get(answerField(section, String(generation)));
  if (text !== undefined) return JSON.parse(text) as Record<string, unknown>;
  throw new AppError('invalid_payload', `expected a section of a symbol’s figures, got ${section}.`, { section });
};

/**
 * As they were computed for what is kept: of a generated market with its tape, of another chain with what is known of
 * it.
 */
async function figuresOf(
  run: Run<typeof ask>,
  chain: Chain,
  owner: string | null,
): Promise<Pick<FeedFigures, 'answers'>> {
  const { payload, context, threads, signal } = run;
  const { options } = payload;
  const advUsd = advUsdOf(chain.symbol);
  const facts = owner === null ? await factsOf(context, chain) : null;
  const isGenerated = owner === null && isSynthetic(chain) && context.config.FEED === 'synthetic';
  if (!(isGenerated && facts && isMarketSymbol(chain.symbol))) {
    const task = { chain, advUsd, facts, options } satisfies FitTask;
    return await threads.run<Fitted>(analyse, task, signal);
  }
  const { rawShares, moves, previousRegimes } = facts;
  const task: FigureTask = {
    symbol: chain.symbol satisfies MarketSymbol,
    at: Date.parse(chain.asOf),
    seed: context.config.FEED_SEED,
    contracts: context.config.FEED_CONTRACTS,
    advUsd,
    chain,
    past: { rawShares, moves },
    options,
    previousRegimes,
  };
  // where that market and its tape are open already
  return await threads.runAside<FeedFigures>(figure, task, signal);
}
