import { backtest } from '#src/analytics/domain/history/backtest.ts';
import { type Backtest, type RuleName, ruleNames } from '#src/analytics/domain/history/backtest-schema.ts';
import type { HistoryRow } from '#src/analytics/domain/history/history-row.ts';
import { historyStudy } from '#src/analytics/domain/history/history-study.ts';
import type { Statistics } from '#src/analytics/domain/history/history-study-schema.ts';
import { type PricePoint, scorecard } from '#src/analytics/domain/signals/scorecard.ts';
import type { Signal } from '#src/analytics/domain/signals/signals-schema.ts';
import { threadTask } from '#src/lib/async/thread-task.ts';

export interface StudyTask {
  readonly kind: 'backtest' | 'statistics';
  readonly rows: readonly HistoryRow[];
  readonly seed: string;
  /** Every rule without one. */
  readonly rule: RuleName | undefined;
  /** Signals that are kept, and prices from the first of them on. */
  readonly signals: readonly Signal[];
  readonly prices: readonly PricePoint[];
}

export default threadTask(({ kind, rows, seed, rule, signals, prices }: StudyTask): Backtest | Statistics =>
  kind === 'statistics'
    ? { ...historyStudy(rows, { seed }), scorecard: scorecard(signals, prices) }
    : backtest(rows, { seed, rules: rule === undefined ? ruleNames : [rule] }),
);
