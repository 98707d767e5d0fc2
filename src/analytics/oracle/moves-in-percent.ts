import { fit, type StressWish } from '#queues/analytics.ts';
import { type Caller, jobResult } from '#src/access/job-result.ts';
import { mustSee } from '#src/analytics/chains/take-chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import type { ToolCall } from '#src/analytics/domain/oracle/tool.ts';
import { inPercent } from '#src/analytics/portfolio/shocks-in-percent.ts';
import { fitKey } from '#src/analytics/sections/find-answer.ts';
import { isInPoints } from '#src/lib/words/shock.ts';

interface Moved {
  readonly symbol?: MarketSymbol;
  readonly symbols?: readonly MarketSymbol[];
  readonly scenarios?: readonly StressWish[];
  readonly spot_points?: number;
  readonly spot_level?: number;
  readonly spot_side?: 'down' | 'up';
}

/**
 * A call with every move of spot as a percentage: points and levels by the spot of the chain that its caller sees. The question
 * names one underlying where it has any, see `readMoves`.
 *
 * @throws AppError `no_chain`, `invalid_payload` for a level on the other side of spot.
 */
export async function movesInPercent(caller: Caller, call: ToolCall): Promise<ToolCall> {
  const { spot_points, spot_level, spot_side, ...args } = call.arguments as Moved;
  const own: StressWish = {
    ...(spot_points !== undefined && { spot_points }),
    ...(spot_level !== undefined && { spot_level }),
    ...(spot_side !== undefined && { spot_side }),
  };
  const symbol = args.symbol ?? args.symbols?.[0];
  if (symbol === undefined || ![own, ...(args.scenarios ?? [])].some(isInPoints)) return call;
  const { id } = await mustSee(caller.context, symbol, caller.principal.owner, 'own');
  const analytics = await jobResult(caller, fit, { chainId: id }, fitKey(id));
  const scenarios = args.scenarios?.map((wish) => inPercent(wish, analytics));
  return {
    ...call,
    arguments: { ...args, ...(scenarios && { scenarios }), ...(isInPoints(own) && inPercent(own, analytics)) },
  };
}
