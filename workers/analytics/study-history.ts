import type { study } from '#queues/analytics.ts';
import type { GenerationScores } from '#src/analytics/domain/benchmark/generation-scores-schema.ts';
import type { Backtest } from '#src/analytics/domain/history/backtest-schema.ts';
import type { Statistics } from '#src/analytics/domain/history/history-study-schema.ts';
import { dailyFigures } from '#src/analytics/history/daily-figures.ts';
import { storedSignals } from '#src/analytics/live/stored-signals.ts';
import type { Processor } from '#workers/run/processor.ts';
import type { ScoreTask } from './score-generations.thread.ts';
import type { StudyTask } from './study-history.thread.ts';

const scores = new URL('./score-generations.thread.ts', import.meta.url);
const task = new URL('./study-history.thread.ts', import.meta.url);

/** Backtests or studies the daily history of a symbol, or scores the generations, in a thread: it takes a while. */
export const studyHistoryProcessor: Processor<typeof study> = async ({ payload, signal, context, threads }) => {
  const { kind, symbol, from, to, rule, seed = 0 } = payload;
  if (kind === 'generations') {
    const scored = await threads.run<GenerationScores>(scores, { symbol, seed } satisfies ScoreTask, signal);
    return { as_of: to, synthetic: true, study: scored };
  }
  const { rows, synthetic } = await dailyFigures(context, { symbol, from, to });
  const kept = kind === 'statistics' ? await storedSignals(context, symbol) : { signals: [], prices: [] };
  const found = await threads.run<Backtest | Statistics>(
    task,
    // the same history gives the same figures, whichever caller asks
    { kind, rows, seed: `${kind} ${symbol}`, rule, ...kept } satisfies StudyTask,
    signal,
  );
  const last = rows.at(-1);
  return { as_of: last === undefined ? null : new Date(last.as_of).toISOString(), synthetic, study: found };
};
