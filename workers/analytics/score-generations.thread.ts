import { generationScores } from '#src/analytics/domain/generation-scores.ts';
import type { GenerationScores } from '#src/analytics/domain/generation-scores-schema.ts';
import type { MarketSymbol } from '#src/analytics/domain/symbols.ts';
import { threadTask } from '#src/lib/thread-task.ts';

export interface ScoreTask {
  readonly symbol: string;
  readonly seed: number;
}

export default threadTask(
  ({ symbol, seed }: ScoreTask): GenerationScores => generationScores(symbol as MarketSymbol, seed),
);
