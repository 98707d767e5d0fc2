import { atmVolatility } from '#src/analytics/domain/book/atm-volatility.ts';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { stressBook } from '#src/analytics/domain/risk/stress.ts';
import type { StressResult, StressScenario } from '#src/analytics/domain/risk/stress-schema.ts';
import { surfaceInputs } from '#src/analytics/domain/surface/surface-inputs.ts';
import { expirySkew, fitSurface } from '#src/analytics/domain/surface/vol-surface.ts';
import { threadTask } from '#src/lib/async/thread-task.ts';

export interface StressTask {
  readonly chain: Chain;
  readonly scenarios: readonly StressScenario[];
  readonly advUsd: number;
}

export interface StressedBook {
  /** Before the shock. */
  readonly netGex: number;
  readonly gexAbs: number;
  /** One standard deviation of a day's return, decimal; null if unknown. */
  readonly sigmaD: number | null;
  readonly results: readonly StressResult[];
}

export default threadTask(({ chain, scenarios, advUsd }: StressTask): StressedBook => {
  const priced = priceBook(chain);
  const { book } = priced;
  // a surface takes as long as several scenarios: only for those that need its skew
  const { surface } = scenarios.some(({ ssr }) => ssr !== undefined)
    ? fitSurface(surfaceInputs(chain, priced))
    : { surface: null };
  const skewAt = surface ? (e: number) => expirySkew(surface, book.expiries[e]!) ?? 0 : undefined;
  const { gex, gexAbs } = exposures(book);
  const atm = atmVolatility(book);
  return {
    netGex: gex,
    gexAbs,
    sigmaD: atm === null ? null : atm / Math.sqrt(252),
    results: stressBook(book, scenarios, advUsd, skewAt),
  };
});
