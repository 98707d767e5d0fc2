import type { stress } from '#queues/analytics.ts';
import type { Payload } from '#queues/define.ts';
import { mustSee } from '#src/analytics/chains/take-chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import type { StressScenario } from '#src/analytics/domain/risk/stress-schema.ts';
import { normaliseWeights } from '#src/analytics/domain/risk/weights.ts';
import { defaultShocks } from '#src/lib/words/shocks.ts';
import type { Context } from '#src/system/context.ts';

export interface StressInput {
  readonly symbols: readonly MarketSymbol[];
  /** As `normaliseWeights` made them, one a symbol. */
  readonly weights: readonly number[];
  readonly scenarios: readonly StressScenario[];
}

/** A stress test with everything that was left out; its weights sum to one. @throws AppError `invalid_request`. */
export function stressInput(
  symbols: readonly MarketSymbol[],
  weights: readonly number[] | undefined,
  scenarios: readonly StressScenario[] = defaultShocks,
): StressInput {
  return { symbols, weights: normaliseWeights(weights, symbols.length), scenarios };
}

/**
 * The payload of a stress test: the chains that its caller sees now, however long the job waits.
 *
 * @throws AppError `no_chain`.
 */
export async function stressPayload(
  context: Context,
  owner: string,
  { symbols, weights, scenarios }: StressInput,
): Promise<Payload<typeof stress>> {
  const chains = await Promise.all(symbols.map((symbol) => mustSee(context, symbol, owner, 'own')));
  return payloadOf(
    chains.map(({ id }) => id),
    weights,
    scenarios,
  );
}

/** The payload of a stress test of chains, in the order of their weights. */
export function payloadOf(
  chains: readonly string[],
  weights: readonly number[],
  scenarios: readonly StressScenario[],
): Payload<typeof stress> {
  return {
    books: chains.map((chainId, index) => ({ chainId, weight: weights[index] ?? 0 })),
    scenarios: [...scenarios],
  };
}
