import type { Caller } from '#src/http/job-result.ts';
import type { OracleTool, ToolCall } from './domain/oracle/tool.ts';
import { oracleTools } from './domain/oracle/tools.ts';
import { withoutLists } from './domain/oracle/without-lists.ts';
import type { MarketSymbol } from './domain/symbols.ts';
import { boundsOf } from './history-bounds.ts';
import { historyKinds } from './history-kinds.ts';
import type { ToolRun } from './oracle-answer.ts';
import { portfolioTools } from './run-portfolio.ts';
import { answerField, sections } from './sections.ts';
import { waitForAnswer } from './wait-for-answer.ts';

const HISTORY = 'history_';

/** The tools that have something to read: a name in the table is no promise that its analysis is served. */
export const servedTools: readonly OracleTool[] = oracleTools.filter(
  ({ name }) => name in sections || name in portfolioTools || historyKind(name) !== undefined,
);

/**
 * What a planned call answers, its lists left out: a sentence cites single figures. A stress of several scenarios gives
 * one result a scenario.
 *
 * @throws AppError `no_chain`, `quota_exceeded`, `unavailable` when its job takes longer than a request may wait, or
 *   what the job failed with.
 */
export async function runTool(caller: Caller, call: ToolCall): Promise<readonly ToolRun[]> {
  const portfolio = portfolioTools[call.tool];
  if (portfolio !== undefined) return await portfolio(caller, call);
  return [call.tool.startsWith(HISTORY) ? await runHistory(caller, call) : await runSection(caller, call)];
}

/** An answer of the symbol's state: of the caller's own newest chain, else of the live feed, else of the feed's chain. */
async function runSection(caller: Caller, call: ToolCall): Promise<ToolRun> {
  const { symbol, generation = 1, horizon } = call.arguments;
  const field = answerField(call.tool, String(generation));
  const text = await waitForAnswer(caller, symbol as MarketSymbol, field);
  const { as_of, data_as_of, synthetic, status, data } = JSON.parse(text) as SectionAnswer;
  return {
    ...call,
    result: withoutLists(data && singledOut(call.tool, data, horizon)),
    status,
    used: [{ symbol: symbol as string, asOf: as_of, synthetic, feeds: data_as_of }],
  };
}

interface SectionAnswer {
  readonly as_of: string;
  readonly data_as_of: Readonly<Record<string, string>>;
  readonly synthetic: boolean;
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** The one member of a list that an answer is about, beside the answer: rows of a list cannot be said in a sentence. */
function singledOut(tool: string, data: Readonly<Record<string, unknown>>, horizon: unknown): unknown {
  if (tool === 'flow_forecast') {
    const horizons = data['horizons'] as readonly { readonly horizon: string }[];
    return { ...data, forecast: horizons.find((item) => item.horizon === (horizon ?? '1d')) ?? null };
  }
  if (tool !== 'surface') return data;
  const expiries = data['expiries'] as readonly { readonly atm_volatility: number | null }[];
  return { ...data, nearest: expiries.find((item) => item.atm_volatility !== null) ?? null };
}

/** The feed's figures at both ends of the time asked about. */
async function runHistory({ context }: Caller, call: ToolCall): Promise<ToolRun> {
  const { symbol, from, to } = call.arguments as { symbol: MarketSymbol; from?: string; to?: string };
  const bounds = await boundsOf(context, symbol, from, to);
  if (bounds === null) return { ...call, result: null, status: 'insufficient_history', used: [] };
  const read = historyKind(call.tool)?.read;
  const { first, last } = bounds;
  return {
    ...call,
    result: withoutLists({ first: read?.(first), last: read?.(last) }),
    status: 'ok',
    used: [
      {
        symbol,
        asOf: last.asOf.toISOString(),
        synthetic: last.figures.synthetic,
        feeds: { history: last.asOf.toISOString() },
      },
    ],
  };
}

function historyKind(tool: string) {
  return tool.startsWith(HISTORY) ? historyKinds[tool.slice(HISTORY.length)] : undefined;
}
