import type { Api } from '#console/api/api.d.ts';
import type { Call } from '#console/api/client.ts';

/** An underlying, as the API names it. */
export type MarketSymbol = NonNullable<
  Api[Extract<Call, 'POST /v1/oracle/query'>]['body']['portfolio']
>['symbols'][number];

/** Every underlying there is, and what it is. */
export const symbols: Readonly<Record<MarketSymbol, string>> = {
  SPX: 'S&P 500 Index',
  SPY: 'SPDR S&P 500 ETF Trust',
  QQQ: 'Invesco QQQ Trust',
  IWM: 'iShares Russell 2000 ETF',
  NDX: 'Nasdaq-100 Index',
  RUT: 'Russell 2000 Index',
};

export const symbolNames = Object.keys(symbols) as MarketSymbol[];

/** The underlying that a text names, in any case; null where there is no such one. */
export function symbolOf(text: string): MarketSymbol | null {
  const name = text.toUpperCase();
  return symbolNames.find((symbol) => symbol === name) ?? null;
}
