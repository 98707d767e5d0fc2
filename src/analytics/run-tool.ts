import { fit, stress } from '#queues/analytics.ts';
import type { Payload, QueueContract, Result } from '#queues/define.ts';
import { admitWork } from '#src/access/quota.ts';
import type { Hub } from '#src/http/hub.ts';
import { waitForJob } from '#src/http/wait-for-job.ts';
import { submit } from '#src/jobs/submit.ts';
import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import type { OracleTool, ToolCall, ToolResult } from './domain/oracle/tool.ts';
import { oracleTools } from './domain/oracle/tools.ts';
import type { StressScenario } from './domain/stress-schema.ts';
import type { MarketSymbol } from './domain/symbols.ts';
import type { Used } from './envelope.ts';
import { computedAnswer, findAnswer, fitKey } from './find-answer.ts';
import { boundsOf } from './history-bounds.ts';
import { historyKinds } from './history-kinds.ts';
import { answerField, sections } from './sections.ts';
import { mustSee } from './take-chain.ts';

/** What a tool answered, and of which chains. */
export interface ToolRun extends ToolResult {
  readonly status: string;
  readonly used: readonly Used[];
}

/** Who asks, and until when somebody waits for the answer. */
export interface Caller {
  readonly context: Context;
  readonly hub: Hub;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

const STRESS = 'portfolio_stress';
const HISTORY = 'history_';
const defaultScenarios: readonly StressScenario[] = [-5, -2, 2, 5].map((spot_shock_pct) => ({ spot_shock_pct }));

/** The tools that have something to read: a name in the table is no promise that its analysis is served. */
export const servedTools: readonly OracleTool[] = oracleTools.filter(
  ({ name }) => name in sections || name === STRESS || historyKind(name) !== undefined,
);

/**
 * What a planned call answers, its lists left out: a sentence cites single figures. A stress of several scenarios gives
 * one result a scenario.
 *
 * @throws AppError `no_chain`, `quota_exceeded`, `unavailable` when its job takes longer than a request may wait, or
 *   what the job failed with.
 */
export async function runTool(caller: Caller, call: ToolCall): Promise<readonly ToolRun[]> {
  if (call.tool === STRESS) return await runStress(caller, call);
  return [call.tool.startsWith(HISTORY) ? await runHistory(caller, call) : await runSection(caller, call)];
}

/** An answer of the symbol's state: of the caller's own newest chain, else of the live feed, else of the feed's chain. */
async function runSection(caller: Caller, call: ToolCall): Promise<ToolRun> {
  const { symbol, generation = 1, horizon } = call.arguments;
  const field = answerField(call.tool, String(generation));
  const text = await sectionText(caller, symbol as MarketSymbol, field);
  const { as_of, synthetic, status, data } = JSON.parse(text) as SectionAnswer;
  return {
    ...call,
    result: withoutLists(data && singledOut(call.tool, data, horizon)),
    status,
    used: [{ symbol: symbol as string, asOf: as_of, synthetic }],
  };
}

interface SectionAnswer {
  readonly as_of: string;
  readonly synthetic: boolean;
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

async function sectionText(caller: Caller, symbol: MarketSymbol, field: string): Promise<string> {
  const { context, principal } = caller;
  const found = await findAnswer(context, { symbol, field, owner: principal.owner });
  if (found.text !== null) return found.text;
  await resultOf(caller, fit, { chainId: found.chain }, fitKey(found.chain));
  return await computedAnswer(context, { symbol, field, owner: found.owner });
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
    used: [{ symbol, asOf: last.asOf.toISOString(), synthetic: last.figures.synthetic }],
  };
}

function historyKind(tool: string) {
  return tool.startsWith(HISTORY) ? historyKinds[tool.slice(HISTORY.length)] : undefined;
}

async function runStress(caller: Caller, call: ToolCall): Promise<readonly ToolRun[]> {
  const { context, principal } = caller;
  const { symbols, scenarios = defaultScenarios } = call.arguments as {
    symbols: readonly MarketSymbol[];
    scenarios?: readonly StressScenario[];
  };
  const chains = await Promise.all(symbols.map((symbol) => mustSee(context, symbol, principal.owner, 'own')));
  const books = chains.map(({ id }) => ({ chainId: id, weight: 1 / chains.length }));
  const { before, results } = await resultOf(caller, stress, { books, scenarios: [...scenarios] });
  const used = before.map(({ symbol, as_of, synthetic }) => ({ symbol, asOf: as_of, synthetic }));
  return results.map((result, index) => ({
    tool: call.tool,
    arguments: { symbols, scenarios: scenarios.slice(index, index + 1) },
    result: withoutLists(result),
    status: result.status,
    used,
  }));
}

async function resultOf<Q extends QueueContract>(
  { context, hub, principal, signal }: Caller,
  queue: Q,
  payload: Payload<Q>,
  idempotencyKey?: string,
): Promise<Result<Q>> {
  await admitWork(context)(principal.owner, queue.name);
  const { job } = await submit(context, queue, {
    principal,
    payload,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  const last = (await waitForJob(context, hub, job.id, context.config.WAIT_MS, signal)) ?? job;
  if (last.state === 'succeeded') return last.result as Result<Q>;
  if (last.state === 'cancelled') throw new AppError('cancelled', 'The job was cancelled before it had a result.');
  if (last.state !== 'failed')
    throw new AppError('unavailable', `expected a result of ${queue.name} in time, got none yet; ask again.`, {
      job: job.id,
    });
  const code = last.error?.code ?? 'internal';
  if (!Object.hasOwn(errorCodes, code)) throw new AppError('internal', 'The job failed on our side.', { job: job.id });
  throw new AppError(code as ErrorCode, last.error?.message ?? 'The job failed.', { job: job.id });
}

function withoutLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => !Array.isArray(member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutLists(member)]));
}
