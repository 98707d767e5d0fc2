import type { Static } from 'typebox';
import type { Caller } from '#src/access/job-result.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { writeAnswer } from '#src/analytics/domain/oracle/answer-writer.ts';
import { checkAnswer } from '#src/analytics/domain/oracle/check-answer.ts';
import type { NoAnswer, WrittenAnswer } from '#src/analytics/domain/oracle/oracle-schema.ts';
import { parseQuestion, type Topic } from '#src/analytics/domain/oracle/question-parser.ts';
import { readDates } from '#src/analytics/domain/oracle/read/read-dates.ts';
import { foldText, readSymbols } from '#src/analytics/domain/oracle/read/read-text.ts';
import type { ToolCall } from '#src/analytics/domain/oracle/tool.ts';
import { marketDay } from '#src/analytics/history/history-bounds.ts';
import { AppError } from '#src/lib/errors.ts';
import { movesInPercent } from './moves-in-percent.ts';
import { leftOut, type OracleRequest, type ToolRun } from './oracle-answer.ts';
import { runTool, servedTools } from './run-tool.ts';

/** A question with what its request and its conversation add to it. */
export interface QuestionRequest {
  readonly question: string;
  readonly portfolio?: Static<typeof OracleRequest>['portfolio'] | undefined;
  readonly symbol?: MarketSymbol | undefined;
  /** The New York day it is about, where it names none. */
  readonly day?: string | undefined;
  readonly before?: Topic | undefined;
}

/** Answer to a question, planned and written by rules or by a model. */
export interface QuestionResult {
  readonly written: WrittenAnswer;
  readonly runs: readonly ToolRun[];
  readonly notes: readonly string[];
  /** Calls that failed, a sentence each. */
  readonly failures: readonly string[];
  /** True where a requested figure is not there. */
  readonly missing?: boolean;
  /** Parts of the question that nothing answers, a sentence each. */
  readonly refused?: readonly string[];
  /** Words of the question that nothing knows. */
  readonly notUnderstood?: readonly string[];
}

/**
 * Plans by the words of the question, calls, and writes.
 *
 * @throws AppError what the first call failed with, where none gave a result.
 */
export async function answerByRules(caller: Caller, request: QuestionRequest): Promise<QuestionResult | NoAnswer> {
  const plan = planByRules(request);
  if (!plan.answerable) return plan;
  const { runs, failures } = await runAll(caller, plan.calls);
  return {
    ...writeByRules(runs),
    runs,
    notes: plan.notes,
    failures,
    refused: plan.refused,
    notUnderstood: plan.not_understood,
  };
}

/** The calls that a question is answered with, or why there are none. */
export function planByRules(request: QuestionRequest): ReturnType<typeof parseQuestion> {
  const { portfolio, before } = request;
  return parseQuestion(fullQuestion(request), servedTools, marketDay(), {
    ...(portfolio && { portfolio }),
    ...(before && { before }),
  });
}

/** The sentences that the rules make of results. */
export function writeByRules(runs: readonly ToolRun[]): Pick<QuestionResult, 'written' | 'missing'> {
  const { text, citations, missing } = writeAnswer(runs, servedTools);
  const { ok, offences } = checkAnswer(text, runs, citations);
  if (!ok)
    throw new AppError('internal', 'The answer held a number without a source, so it is not sent.', { offences });
  return { written: { text, citations }, missing };
}

/** The question, led by the symbol and the day of the request where it names none itself. */
function fullQuestion({ question, symbol, day }: QuestionRequest): string {
  const folded = foldText(question);
  const { symbols, unknown } = readSymbols(folded);
  const isDated = readDates(folded, marketDay()).from !== null;
  const lead = [
    ...(day !== undefined && !isDated ? [`on ${day}`] : []),
    ...(symbol !== undefined && symbols.length + unknown.length === 0 ? [symbol] : []),
  ];
  return folded === '' || lead.length === 0 ? question : `${lead.join(', ')}: ${question}`;
}

/** @throws what the first call failed with, where none gave a result. */
async function runAll(caller: Caller, calls: readonly ToolCall[]) {
  const runs: ToolRun[] = [];
  const failures: string[] = [];
  const settled = await Promise.allSettled(
    calls.map(async (call) => runTool(caller, await movesInPercent(caller, call))),
  );
  let failure: unknown;
  for (const [index, outcome] of settled.entries()) {
    if (outcome.status === 'fulfilled') {
      runs.push(...outcome.value);
      continue;
    }
    failure ??= outcome.reason;
    if (!(outcome.reason instanceof AppError)) throw outcome.reason;
    failures.push(leftOut(calls[index]?.tool, outcome.reason));
  }
  if (runs.length === 0) throw failure;
  return { runs, failures };
}
