/** Names of an underlying that people write; longer ones first, so that the 100 of "nasdaq 100" is no number. */
export const marketNames: readonly (readonly [name: string, symbol: string])[] = [
  ["standard & poor's 500", 'SPX'],
  ['s&p 500 index', 'SPX'],
  ['russell 2000', 'RUT'],
  ['russell-2000', 'RUT'],
  ['russell2000', 'RUT'],
  ['nasdaq 100', 'NDX'],
  ['nasdaq-100', 'NDX'],
  ['nasdaq100', 'NDX'],
  ['s&p 500', 'SPX'],
  ['s&p-500', 'SPX'],
  ['s&p500', 'SPX'],
  ['sp 500', 'SPX'],
  ['sp500', 'SPX'],
  ['nasdaq', 'NDX'],
  ['russell', 'RUT'],
  ['s&p', 'SPX'],
  ['spxw', 'SPX'],
  ['spx', 'SPX'],
  ['spy', 'SPY'],
  ['qqq', 'QQQ'],
  ['iwm', 'IWM'],
  ['ndx', 'NDX'],
  ['rut', 'RUT'],
];

/** Underlyings that people ask for and that no data is held of. */
export const foreignNames: ReadonlySet<string> = new Set(
  'tsla aapl nvda msft amzn goog googl meta nflx amd gme amc coin btc eth bitcoin ethereum dia dow djia vix uvxy tlt gld slv uso oil gold dax ftse nikkei eurusd'.split(
    ' ',
  ),
);
