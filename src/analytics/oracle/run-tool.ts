import { ask } from '#queues/analytics.ts';
import { type Caller, jobResult } from '#src/access/job-result.ts';
import type { Status } from '#src/analytics/answers/envelope.ts';
import { answerField, sections } from '#src/analytics/answers/sections.ts';
import { mustSee } from '#src/analytics/chains/take-chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { singleFigures } from '#src/analytics/domain/oracle/single-figures.ts';
import type { OracleTool, ToolCall } from '#src/analytics/domain/oracle/tool.ts';
import { oracleTools } from '#src/analytics/domain/oracle/tools.ts';
import { withoutLists } from '#src/analytics/domain/oracle/without-lists.ts';
import type { Generation } from '#src/analytics/domain/positions/dealer-positions.ts';
import { boundsOf, marketDay, openingOf } from '#src/analytics/history/history-bounds.ts';
import { historyKinds } from '#src/analytics/history/history-kinds.ts';
import { waitForAnswer } from '#src/analytics/sections/find-answer.ts';
import { parseJson } from '#src/lib/text/parse-json.ts';
import { type AjvError, describeValidation } from '#src/lib/validation/describe-validation.ts';
import { buildValidators } from '#src/lib/validation/validators.ts';
import type { ToolRun } from './oracle-answer.ts';
import { portfolioRunners } from './run-portfolio.ts';
import { isStudy, runStudy } from './run-study.ts';
import { surfaceFigures } from './surface-figures.ts';

const HISTORY = 'history_';

/** The tools that have something to read: a name in the table is no promise that its analysis is served. */
export const servedTools: readonly OracleTool[] = oracleTools.filter(
  ({ name }) => name in sections || name in portfolioRunners || isStudy(name) || historyKind(name) !== undefined,
);

/**
 * Runs a planned call; its result has no lists: a sentence cites single figures. A stress of several scenarios gives
 * one result a scenario.
 *
 * @throws AppError `no_chain`, `quota_exceeded`, `unavailable` when its job takes longer than a request may wait, or
 *   what the job failed with.
 */
export async function runTool(caller: Caller, call: ToolCall): Promise<readonly ToolRun[]> {
  const portfolio = portfolioRunners[call.tool];
  if (portfolio !== undefined) return await portfolio(caller, call);
  if (isStudy(call.tool)) return [await runStudy(caller, call.tool, call)];
  return [call.tool.startsWith(HISTORY) ? await runHistory(caller, call) : await runSection(caller, call)];
}

/** An answer of the symbol's state: of the caller's own newest chain, else of the live feed, else of the feed's chain. */
async function runSection(caller: Caller, call: ToolCall): Promise<ToolRun> {
  const { symbol, ...args } = call.arguments as unknown as Arguments;
  const { as_of: asOf, data_as_of, synthetic, status, data } = await sectionOf(caller, call);
  const figures = data && singleFigures(call.tool, data, { asOf, args });
  const more = call.tool === 'surface' ? await surfaceFigures(caller, symbol, args) : {};
  return {
    ...call,
    result: withoutLists(figures && { as_of: asOf, synthetic, ...figures, ...more }),
    status,
    used: [{ symbol, asOf, synthetic, feeds: data_as_of }],
  };
}

interface Arguments {
  readonly symbol: MarketSymbol;
  readonly generation?: Generation;
  readonly days?: number;
  readonly strike?: number;
  readonly spot_shock_pct?: number;
  readonly vol_points?: number;
  readonly hours?: number;
}

interface SectionAnswer {
  readonly as_of: string;
  readonly data_as_of: Readonly<Record<string, string>>;
  readonly synthetic: boolean;
  readonly status: Status;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Reads the stored answer; a job computes one for a move that the question sets. */
async function sectionOf(caller: Caller, { tool, arguments: args }: ToolCall): Promise<SectionAnswer> {
  const { symbol, generation = 1, spot_shock_pct, vol_points, hours } = args as unknown as Arguments;
  if (spot_shock_pct === undefined && vol_points === undefined && hours === undefined)
    return JSON.parse(await waitForAnswer(caller, symbol, answerField(tool, String(generation))));
  const { id } = await mustSee(caller.context, symbol, caller.principal.owner, 'own');
  const scenarios = [{ spot_shock_pct: spot_shock_pct ?? 0, vol_points: vol_points ?? 0, hours: hours ?? 0 }];
  const payload = { chainId: id, section: tool, generation, options: { scenarios } };
  return (await jobResult(caller, ask, payload)) as unknown as SectionAnswer;
}

/** The feed's figures at both ends of the requested time, and at the opening of its last day. */
async function runHistory({ context }: Caller, call: ToolCall): Promise<ToolRun> {
  const { symbol, from, to } = call.arguments as { symbol: MarketSymbol; from?: string; to?: string };
  const isAtOpening = call.fields?.some(({ path }) => path.startsWith('opening.')) === true;
  const bounds = await boundsOf(context, symbol, isAtOpening ? (from ?? marketDay()) : from, to);
  const nothing: ToolRun = { ...call, result: null, status: 'insufficient_history', used: [] };
  if (bounds === null) return nothing;
  const read = historyKind(call.tool)?.read;
  const { first, last } = bounds;
  const opening = isAtOpening ? await openingOf(context, symbol, last.asOf) : null;
  if (isAtOpening && opening === null) return nothing;
  const shown = opening ?? last;
  return {
    ...call,
    result: withoutLists({
      as_of: shown.asOf.toISOString(),
      synthetic: shown.figures.synthetic,
      first: read?.(first),
      last: read?.(last),
      opening: opening && read?.(opening),
    }),
    status: 'ok',
    used: [
      {
        symbol,
        asOf: shown.asOf.toISOString(),
        synthetic: shown.figures.synthetic,
        feeds: { history: shown.asOf.toISOString() },
      },
    ],
  };
}

function historyKind(tool: string) {
  return tool.startsWith(HISTORY) ? historyKinds[tool.slice(HISTORY.length)] : undefined;
}

const compile = buildValidators({});
const checks = new Map(
  servedTools.map(({ name, parameters }) => [
    name,
    compile({ schema: { ...parameters } as object, method: 'POST', url: '', httpPart: 'body' }),
  ]),
);

/**
 * Checks a call as a model wrote it: returns a call that can be made, or a sentence that says what is wrong with it.
 */
export function readToolCall(tool: string, text: string): ToolCall | string {
  const check = checks.get(tool);
  if (check === undefined) return `expected one of ${[...checks.keys()].join(', ')}, got ${shortly(tool)}.`;
  // some models write nothing for no arguments
  const args = parseJson(text === '' ? '{}' : text);
  if (args === undefined) return `arguments: expected JSON, got ${shortly(text)}.`;
  if (check(args) === true) return { tool, arguments: args as ToolCall['arguments'] };
  return describeValidation((check as { errors?: AjvError[] }).errors ?? [], 'arguments').message;
}

function shortly(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
