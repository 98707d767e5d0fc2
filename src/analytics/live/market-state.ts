import { answerField } from '#src/analytics/answers/sections.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import { generationNames } from '#src/analytics/domain/positions/dealer-positions.ts';
import type { PreviousRegimes, RegimeState } from '#src/analytics/domain/regime/regime.ts';
import type { Context } from '#src/system/context.ts';
import { marketName, readAnswer, readAnswers } from './publish-live.ts';

/** A symbol as a whole, as its stream shows it to who comes anew or has missed too much. */
export type MarketState = Pick<ChainAnalytics, 'symbol' | 'as_of' | 'spot' | 'flips' | 'levels' | 'regime'> &
  Pick<ChainAnalytics['exposures'], 'net_gex' | 'gex_abs' | 'vex' | 'cex' | 'units'>;

export function marketState({ symbol, as_of, spot, exposures, flips, levels, regime }: ChainAnalytics): MarketState {
  const { net_gex, gex_abs, vex, cex, units } = exposures;
  return { symbol, as_of, spot, net_gex, gex_abs, vex, cex, units, flips, levels, regime };
}

/** Reads the last published state of a symbol's feed; null before there was any. */
export async function readMarketState(
  context: Pick<Context, 'redis' | 'config'>,
  symbol: string,
): Promise<MarketState | null> {
  const text = await readAnswer(context, marketName(symbol), 'state');
  return text === null ? null : (JSON.parse(text) as MarketState);
}

/**
 * Reads where each generation put a symbol's regime when its figures were last published. Every tick publishes that of
 * generation 1 with the state, so there it is newer.
 */
export async function readRegimes(
  context: Pick<Context, 'redis' | 'config'>,
  symbol: string,
): Promise<PreviousRegimes> {
  const [state, answers] = await Promise.all([
    readMarketState(context, symbol),
    readAnswers(
      context,
      marketName(symbol),
      generationNames.map((name) => answerField('regime', name)),
    ),
  ]);
  const found = generationNames.map((name, i) => [name, stateIn(answers[i] ?? null)] as const);
  const known = new Map([...found, ['1', state?.regime.state ?? null] as const]);
  return Object.fromEntries([...known].filter(([, regime]) => regime !== null));
}

function stateIn(answer: string | null): RegimeState | null {
  const { data } = JSON.parse(answer ?? '{}') as { data?: { state: RegimeState | null } | null };
  return data?.state ?? null;
}
