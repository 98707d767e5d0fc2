import type { Context } from '#src/system/context.ts';
import type { ChainAnalytics } from './domain/analytics-schema.ts';
import { marketName, readAnswer } from './live-tell.ts';

/** A symbol as a whole, as its stream shows it to who comes anew or has missed too much. */
export type MarketState = Pick<ChainAnalytics, 'symbol' | 'as_of' | 'spot' | 'flips' | 'levels' | 'regime'> &
  Pick<ChainAnalytics['exposures'], 'net_gex' | 'gex_abs' | 'vex' | 'cex' | 'units'>;

export function marketState({ symbol, as_of, spot, exposures, flips, levels, regime }: ChainAnalytics): MarketState {
  const { net_gex, gex_abs, vex, cex, units } = exposures;
  return { symbol, as_of, spot, net_gex, gex_abs, vex, cex, units, flips, levels, regime };
}

/** What was told last of a symbol's feed; null before anything was. */
export async function readMarketState(
  context: Pick<Context, 'redis' | 'config'>,
  symbol: string,
): Promise<MarketState | null> {
  const text = await readAnswer(context, marketName(symbol), 'state');
  return text === null ? null : (JSON.parse(text) as MarketState);
}
