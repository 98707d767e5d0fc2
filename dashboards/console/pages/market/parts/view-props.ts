import type { Generation } from './generations.ts';
import type { MarketSymbol } from './symbols.ts';
import type { Market } from './use-market.ts';

/** The properties that every view of a symbol takes. */
export interface ViewProps {
  readonly symbol: MarketSymbol;
  readonly generation: Generation;
  readonly market: Market;
}
