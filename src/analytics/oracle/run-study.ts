import { study } from '#queues/analytics.ts';
import { type Caller, jobResult } from '#src/access/job-result.ts';
import { byName, isRecord, type ResultRow } from '#src/analytics/domain/oracle/rows.ts';
import type { ToolCall } from '#src/analytics/domain/oracle/tool.ts';
import { withoutLists } from '#src/analytics/domain/oracle/without-lists.ts';
import { studyKey, studySpan } from '#src/analytics/history/study-request.ts';
import type { ToolRun } from './oracle-answer.ts';

const kinds = { history_statistics: 'statistics', history_backtest: 'backtest' } as const;

/** Checks whether a tool studies the history by a job. */
export function isStudy(tool: string): tool is keyof typeof kinds {
  return tool in kinds;
}

/**
 * Runs a study of the daily history and names its rows: a place in a list cannot be said in a sentence.
 *
 * @throws AppError as `jobResult`.
 */
export async function runStudy(caller: Caller, tool: keyof typeof kinds, call: ToolCall): Promise<ToolRun> {
  const { symbol, from, to } = call.arguments as { symbol: string; from?: string; to?: string };
  const payload = { kind: kinds[tool], ...studySpan({ symbol, from, to }) };
  const { as_of: asOf, synthetic, study: found } = await jobResult(caller, study, payload, studyKey(payload));
  const rows: ResultRow = found;
  const named = {
    hits: byName(rows['hits'], 'name'),
    regressions: byName(rows['regressions'], 'regressor'),
    rules: Object.fromEntries(
      Object.entries(byName(rows['rules'], 'rule')).map(([name, rule]) => [
        name,
        isRecord(rule) ? withoutLists(rule) : null,
      ]),
    ),
  };
  return {
    ...call,
    result: withoutLists({ as_of: asOf, synthetic, ...rows, ...named }),
    status: found.status,
    used: asOf === null ? [] : [{ symbol, asOf, synthetic, feeds: { history: asOf } }],
  };
}
