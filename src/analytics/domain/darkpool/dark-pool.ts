import type { Book } from '#src/analytics/domain/book/book.ts';
import { gatherNodes, priceNodes } from '#src/analytics/domain/book/price-nodes.ts';
import { isMarketSymbol, type MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import type { OffExchangePrint } from '#src/analytics/domain/tapes/read-offexchange-tape.ts';
import { confirmLevels } from './confirm-levels.ts';
import type { DarkPool } from './dark-pool-schema.ts';
import { type GciStatus, gammaConfirmation } from './gamma-confirmation.ts';
import { type DarkConstituent, type DarkVolume, darkIndex, darkShare, zScore } from './short-volume-share.ts';

/** Indices are not traded: the fund on the same index is, and its off-exchange volume represents it. */
export const darkProxies: Readonly<Record<MarketSymbol, MarketSymbol>> = {
  SPX: 'SPY',
  NDX: 'QQQ',
  RUT: 'IWM',
  SPY: 'SPY',
  QQQ: 'QQQ',
  IWM: 'IWM',
};

/** The fund's row of one daily file. */
export interface DarkDay extends DarkVolume {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Epoch milliseconds from which it may be used. */
  readonly knowledgeTime: number;
}

/** Off-exchange trading in a symbol's fund, as far as it is known. */
export interface DarkTapes {
  /** The fund's days in any order. */
  readonly days: readonly DarkDay[];
  /** The fund's off-exchange prints. */
  readonly prints: readonly OffExchangePrint[];
  /** Dollars per share of the fund at the time of the book's spot; null if unknown. Not read for a fund itself. */
  readonly proxyPrice: number | null;
  /** Constituents of the index on the last of those days, and DIX of the days before it, oldest first; none without. */
  readonly constituents?: readonly DarkConstituent[];
  readonly dixBefore?: readonly number[];
}

export interface DarkPoolInput extends DarkTapes {
  readonly symbol: string;
  /** Epoch milliseconds: days and prints that were not known then are not used. */
  readonly asOf: number;
  /** Book of the underlying; its positions are not read. */
  readonly book: Book;
  /** $ of delta per +1 % spot that one contract of each row adds, as `exposureCoefficients` gives it. */
  readonly gammaPerContract: Float64Array;
  /** Levels by name, points of the underlying; null where there is none. */
  readonly levels: Readonly<Record<string, number | null>>;
  readonly seed: string;
}

/** Off-exchange volume of the underlying or its fund, and whether it sits where gamma sits (analytics.md 2.10). */
export function darkPool(input: DarkPoolInput): DarkPool {
  const { symbol, asOf, book, proxyPrice } = input;
  const proxy = isMarketSymbol(symbol) ? darkProxies[symbol] : symbol;
  const isProxy = proxy !== symbol;
  const scale = isProxy ? (proxyPrice !== null && proxyPrice > 0 ? book.spot / proxyPrice : null) : 1;
  const prints = input.prints.filter(({ time }) => time <= asOf);
  const short = shortShares(input);
  const volume = scale === null ? withoutScale : volumeAtPrice(input, prints, scale);
  const last = prints.reduce((latest, { time }) => Math.max(latest, time), -Infinity);
  const isBare = short.dpi === null && prints.length === 0;
  return {
    status: isBare ? 'no_tapes' : short.dpi === null ? 'no_short_volume' : volume.gci_status,
    symbol,
    proxy,
    is_proxy: isProxy,
    points_per_dollar: scale,
    ...short,
    prints: prints.length,
    last_print: prints.length > 0 ? new Date(last).toISOString() : null,
    print_shares: prints.reduce((sum, { size }) => sum + size, 0),
    ...volume,
  };
}

const noGci = { gci: null, gci_null_mean: null, gci_excess: null, gci_p_value: null } as const;

const withoutScale = {
  node_share: null,
  nodes: [],
  ...noGci,
  gci_status: 'no_proxy_price',
  levels_status: 'no_range',
  levels: [],
} satisfies Partial<DarkPool>;

function shortShares({ asOf, days, constituents = [], dixBefore = [] }: DarkPoolInput) {
  const known = days
    .filter(({ knowledgeTime }) => knowledgeTime <= asOf)
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .flatMap((day) => {
      const share = darkShare(day);
      return share === null ? [] : [{ date: day.date, share }];
    });
  const last = known.at(-1) ?? null;
  const before = known.slice(0, -1).map(({ share }) => share);
  const dpi = zScore(last?.share ?? null, before);
  const traded = constituents.filter(({ price, totalVolume }) => price > 0 && totalVolume > 0);
  const value = darkIndex(traded);
  const dix = zScore(value, dixBefore);
  return {
    dpi: last?.share ?? null,
    dpi_status: last === null ? ('no_data' as const) : ('ok' as const),
    dpi_date: last?.date ?? null,
    dpi_z: dpi.z,
    dpi_z_status: dpi.status,
    tilt: dpi.z,
    dix: value,
    dix_status: value === null ? ('no_constituents' as const) : ('ok' as const),
    dix_constituents: traded.length,
    dix_z: dix.z,
    dix_z_status: dix.status,
  };
}

function volumeAtPrice(input: DarkPoolInput, prints: readonly OffExchangePrint[], scale: number) {
  const { book, gammaPerContract, levels, seed } = input;
  const price = Float64Array.from(prints, (print) => print.price * scale);
  const shares = Float64Array.from(prints, ({ size }) => size);
  const confirmed = confirmLevels(levels, { price, shares });
  const marks = { levels_status: confirmed ? ('ok' as const) : ('no_range' as const), levels: confirmed ?? [] };
  const grid = priceNodes(book);
  if (grid === null) return { node_share: null, nodes: [], ...confirmation('too_few_strikes'), ...marks };
  const volume = gatherNodes(
    grid,
    Array.from(price, (level, i) => [level, shares[i]!] as const),
  );
  const gross = Array.from(book.strike, (level, i) => [level, book.openInterest[i]! * gammaPerContract[i]!] as const);
  const inside = volume.reduce((sum, size) => sum + size, 0);
  const all = shares.reduce((sum, size) => sum + size, 0);
  const nodes = Array.from(volume, (size, node) => ({
    price: grid.low + node * grid.step,
    shares: size,
    share: inside > 0 ? size / inside : 0,
  }));
  return {
    node_share: all > 0 ? inside / all : null,
    nodes: nodes.filter((node) => node.shares > 0),
    ...confirmation(gammaConfirmation(volume, gatherNodes(grid, gross), seed)),
    ...marks,
  };
}

function confirmation(found: ReturnType<typeof gammaConfirmation> | Exclude<GciStatus, 'ok'>) {
  if (typeof found === 'string') return { ...noGci, gci_status: found };
  const { gci, nullMean, pValue } = found;
  return {
    gci,
    gci_null_mean: nullMean,
    gci_excess: gci - nullMean,
    gci_p_value: pValue,
    gci_status: 'ok' as const,
  };
}
