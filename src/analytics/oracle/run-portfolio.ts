import type { Static } from 'typebox';
import { stress } from '#queues/analytics.ts';
import { type Caller, jobResult } from '#src/access/job-result.ts';
import type { Used } from '#src/analytics/answers/envelope.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import type { ToolCall } from '#src/analytics/domain/oracle/tool.ts';
import { withoutLists } from '#src/analytics/domain/oracle/without-lists.ts';
import type { PORTFOLIO_ANALYZE_REQUEST } from '#src/analytics/domain/risk/portfolio-analyze-schema.ts';
import type { PORTFOLIO_OPTIMIZE_REQUEST } from '#src/analytics/domain/risk/portfolio-optimize-schema.ts';
import type { StressScenario } from '#src/analytics/domain/risk/stress-schema.ts';
import { analyzeNow, optimizeNow, type PortfolioResult } from '#src/analytics/portfolio/portfolio.ts';
import { stressInput, stressPayload } from '#src/analytics/portfolio/stress-request.ts';
import type { ToolRun } from './oracle-answer.ts';

/** The tools about several symbols together. A stress of several scenarios gives one result a scenario. */
export const portfolioRunners: Readonly<
  Record<string, (caller: Caller, call: ToolCall) => Promise<readonly ToolRun[]>>
> = {
  portfolio_stress: runStress,
  portfolio_analyze: async (caller, call) => [
    runOf(call, await analyzeNow(caller, call.arguments as Static<typeof PORTFOLIO_ANALYZE_REQUEST>)),
  ],
  portfolio_optimize: async (caller, call) => [
    runOf(call, await optimizeNow(caller, call.arguments as Static<typeof PORTFOLIO_OPTIMIZE_REQUEST>)),
  ],
};

async function runStress(caller: Caller, call: ToolCall): Promise<readonly ToolRun[]> {
  const { arguments: args } = call;
  const { symbols, weights, scenarios } = args as {
    symbols: readonly MarketSymbol[];
    weights?: readonly number[];
    scenarios?: readonly StressScenario[];
  };
  const input = stressInput(symbols, weights, scenarios);
  const payload = await stressPayload(caller.context, caller.principal.owner, input);
  const { before, results } = await jobResult(caller, stress, payload);
  const used = before.map(({ symbol, as_of, synthetic }) => ({ symbol, asOf: as_of, synthetic }));
  return results.map((result, index) => ({
    ...call,
    arguments: { ...args, scenarios: input.scenarios.slice(index, index + 1) },
    result: withoutLists({ ...standingOf(used), ...result }),
    status: result.status === 'ok' ? ('ok' as const) : ('undefined_without_volatility' as const),
    used,
  }));
}

/** The oldest instant of what was used, and whether any of it is generated. */
function standingOf(used: readonly Used[]) {
  return {
    as_of: used.map(({ asOf }) => asOf).toSorted()[0] ?? null,
    synthetic: used.some(({ synthetic }) => synthetic),
  };
}

/** Members by their symbol: a place in a list cannot be said in a sentence. */
function runOf<T extends { readonly members: readonly { readonly symbol: string }[] }>(
  call: ToolCall,
  { data, status, used }: PortfolioResult<T | null>,
): ToolRun {
  const members = data && Object.fromEntries(data.members.map((member) => [member.symbol, member]));
  return { ...call, result: data && withoutLists({ ...standingOf(used), ...data, members }), status, used };
}
