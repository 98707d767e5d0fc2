import type { ChainAnalytics } from '#src/analytics/domain/analytics-schema.ts';
import { analyzeChain } from '#src/analytics/domain/analyze-chain.ts';
import type { Chain } from '#src/analytics/domain/chain.ts';
import { threadTask } from '#src/lib/thread-task.ts';

export default threadTask(
  ({ chain, advUsd }: { chain: Chain; advUsd: number }): ChainAnalytics => analyzeChain(chain, { advUsd }),
);
