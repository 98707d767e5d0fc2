import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import type { Qualifiers } from '#src/analytics/domain/oracle/read/qualifiers.ts';
import { isInPoints } from '#src/lib/words/shock.ts';
import type { Chosen } from './choose-variant.ts';
import type { Field, Measure } from './measures/measure.ts';
import type { OracleTool, ToolCall } from './tool.ts';

/** More calls than that answer no question; they are a way to make work. */
const MAX_CALLS = 12;

interface Around {
  readonly tools: readonly OracleTool[];
  readonly used: readonly MarketSymbol[];
  /** Holdings of the caller, as arguments of the portfolio tools. */
  readonly portfolio: Readonly<Record<string, unknown>> | undefined;
}

type Part = Chosen & { readonly measure: Measure };

/** The calls that fill the variants chosen; parts of one call share it, and each keeps its fields. */
export function planCalls(
  parts: readonly Part[],
  { tools, used, portfolio }: Around,
): { readonly calls: QuestionCall[]; readonly notes: readonly string[] } {
  const calls = new Map<string, QuestionCall>();
  for (const { measure, variant, found } of parts) {
    const tool = tools.find(({ name }) => name === variant.tool);
    if (!tool) continue;
    for (const args of argumentsFor(tool, { found, used, portfolio, adds: variant.adds })) {
      const key = JSON.stringify([tool.name, args]);
      const call = calls.get(key) ?? { tool: tool.name, arguments: args, measures: [], fields: [] };
      call.measures.push(measure.name);
      call.fields.push(...variant.fields.filter((one) => !call.fields.some(({ path }) => path === one.path)));
      calls.set(key, call);
    }
  }
  const all = [...calls.values()];
  const notes = all.length > MAX_CALLS ? [`only the first ${MAX_CALLS} of ${all.length} analyses are made`] : [];
  return { calls: all.slice(0, MAX_CALLS), notes };
}

interface QuestionCall extends ToolCall {
  readonly measures: string[];
  readonly fields: Field[];
}

interface Filling {
  readonly found: Qualifiers;
  readonly used: readonly MarketSymbol[];
  readonly portfolio: Readonly<Record<string, unknown>> | undefined;
  readonly adds: Readonly<Record<string, unknown>> | undefined;
}

/** The arguments of each call of a tool: one a symbol, or one for all; a flow takes one move a call. */
function argumentsFor(tool: OracleTool, { found, used, portfolio, adds }: Filling): Record<string, unknown>[] {
  const { weights } = found;
  const isPortfolio = tool.name.startsWith('portfolio_');
  const held = isPortfolio && weights === undefined ? portfolio : undefined;
  const values: Readonly<Record<string, unknown>> = {
    symbols: [...used],
    ...(weights !== undefined && { weights: used.map((symbol) => weights[symbol] ?? 0) }),
    ...held,
    generation: found.generation,
    horizon: found.horizon,
    days: found.tenor,
    strike: found.strike,
    from: found.from,
    to: found.to,
    scenarios: found.moves,
    ...adds,
  };
  const known = Object.keys(tool.parameters.properties).filter((name) => values[name] !== undefined);
  const shared = Object.fromEntries(known.map((name) => [name, values[name]]));
  if (!('symbol' in tool.parameters.properties)) return [shared];
  const moves = 'spot_shock_pct' in tool.parameters.properties ? found.moves : undefined;
  const each = moves?.map(({ days = 0, vol_points = 0, spot_shock_pct, ...spot }) => ({
    ...(isInPoints(spot) ? spot : { spot_shock_pct: spot_shock_pct ?? 0 }),
    vol_points,
    hours: 24 * days,
  })) ?? [{}];
  return used.flatMap((symbol) => each.map((move) => ({ symbol, ...shared, ...move })));
}
