import { generationScores } from '#src/analytics/domain/benchmark/generation-scores.ts';
import type { GenerationScores } from '#src/analytics/domain/benchmark/generation-scores-schema.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { threadTask } from '#src/lib/async/thread-task.ts';

export interface ScoreTask {
  readonly symbol: string;
  readonly seed: number;
}

export default threadTask(
  ({ symbol, seed }: ScoreTask): GenerationScores => generationScores(symbol as MarketSymbol, seed),
);
