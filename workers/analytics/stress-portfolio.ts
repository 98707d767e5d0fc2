import type { stress } from '#queues/analytics.ts';
import { isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import { combineScenario } from '#src/analytics/domain/risk/combine-scenario.ts';
import type { Processor } from '#workers/run/processor.ts';
import { advUsdOf } from './adv.ts';
import { loadChain } from './load-chain.ts';
import type { StressedBook, StressTask } from './stress-book.thread.ts';

const task = new URL('./stress-book.thread.ts', import.meta.url);
/** Scenarios of one thread task: each prices its book once, and its end is published as progress. */
const CHUNK = 10;

/** Stresses every book under every scenario, books in parallel; tells each scenario as it is done. */
export const stressPortfolioProcessor: Processor<typeof stress> = async ({
  payload,
  emit,
  signal,
  context,
  threads,
}) => {
  const { books, scenarios } = payload;
  const chains = await Promise.all(books.map(({ chainId }) => loadChain(context)(chainId)));
  const results = [];
  let first: readonly StressedBook[] = [];
  for (let at = 0; at < scenarios.length; at += CHUNK) {
    const chunk = scenarios.slice(at, at + CHUNK);
    const stressed = await Promise.all(
      chains.map((chain) =>
        threads.run<StressedBook>(
          task,
          { chain, scenarios: chunk, advUsd: advUsdOf(chain.symbol) } satisfies StressTask,
          signal,
        ),
      ),
    );
    if (at === 0) first = stressed;
    for (const index of chunk.keys()) {
      const members = chains.map(({ symbol }, book) => ({
        symbol,
        weight: books[book]!.weight,
        advUsd: advUsdOf(symbol),
        sigmaD: stressed[book]?.sigmaD ?? null,
        result: stressed[book]!.results[index]!,
      }));
      const result = combineScenario(members);
      results.push(result);
      emit(
        { scenario: at + index, of: scenarios.length, net_gex: result.net_gex, hedged_pnl: result.pnl.hedged },
        `scenario-${at + index}`,
      );
    }
  }
  const before = chains.map((chain, book) => ({
    symbol: chain.symbol,
    weight: books[book]!.weight,
    as_of: chain.asOf,
    synthetic: isSynthetic(chain),
    spot: chain.spot,
    net_gex: first[book]?.netGex ?? 0,
    gex_abs: first[book]?.gexAbs ?? 0,
  }));
  return { before, results };
};
