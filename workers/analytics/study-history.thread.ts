import { backtest } from '#src/analytics/domain/backtest.ts';
import { type Backtest, type RuleName, ruleNames } from '#src/analytics/domain/backtest-schema.ts';
import type { HistoryRow } from '#src/analytics/domain/history-row.ts';
import { historyStudy } from '#src/analytics/domain/history-study.ts';
import type { HistoryStudy } from '#src/analytics/domain/history-study-schema.ts';
import { threadTask } from '#src/lib/thread-task.ts';

export interface StudyTask {
  readonly kind: 'backtest' | 'statistics';
  readonly rows: readonly HistoryRow[];
  readonly seed: string;
  /** Every rule without one. */
  readonly rule: RuleName | undefined;
}

export default threadTask(({ kind, rows, seed, rule }: StudyTask): Backtest | HistoryStudy =>
  kind === 'statistics'
    ? historyStudy(rows, { seed })
    : backtest(rows, { seed, rules: rule === undefined ? ruleNames : [rule] }),
);
