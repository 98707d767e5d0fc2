import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { inverseNormalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { hawkesArrivals } from './arrivals.ts';
import { randomUniform } from './counter-random.ts';
import { spotOf } from './day-book.ts';
import type { MarketPath } from './market-path.ts';
import { sessionMinutes, tradingDay } from './trading-index.ts';
import { underlyings } from './underlyings.ts';

export const funds = ['SPY', 'QQQ', 'IWM'] as const;
export type Fund = (typeof funds)[number];

/** One trade of a fund's shares that was reported off the exchanges. */
export interface SyntheticPrint {
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  readonly symbol: Fund;
  readonly price: number;
  /** Shares; fractions are usual. */
  readonly size: number;
  /** Reported to FINRA's facilities: tape code D. */
  readonly venue: 'D';
  readonly isShortSale: boolean;
}

const PRINTS = 1500;
const MEDIAN_SHARES: Readonly<Record<Fund, number>> = { SPY: 2500, QQQ: 1800, IWM: 1500 };

/** A fund's off-exchange prints of one session, in order; blocks gather at round prices. */
export function dayPrints(path: MarketPath, fund: Fund, day: number): SyntheticPrint[] {
  const date = tradingDay(day);
  const { open } = sessionOn(date);
  const key = path.dayKey(day, fund, 'prints');
  const random = randomStream(`${key}`);
  const underlying = underlyings[fund];
  const shortShare = 0.45 + 0.04 * inverseNormalCdf(randomUniform(key, 1));
  const unit = 10 ** Math.floor(Math.log10(underlying.level * underlying.ratio) - 1);
  return Array.from(hawkesArrivals(random, sessionMinutes(day), PRINTS), (time, i) => {
    const { state } = path.pointAt(open + time);
    const price = Math.round(100 * spotOf(underlying, state[underlying.index]!, day)) / 100;
    const fromRound = (price - Math.round(price / unit) * unit) / (0.002 * price);
    const gathered = 1 + 2 * Math.exp(-0.5 * fromRound * fromRound);
    const shares = MEDIAN_SHARES[fund] * gathered * Math.exp(1.3 * random.normal());
    return {
      id: `${fund}-${date}-D${i}`,
      at: open + time,
      symbol: fund,
      price,
      // A third of the prints are retail orders in dollars, whose shares are not whole.
      size: random.uniform() < 0.3 ? Math.round(shares * 1e4) / 1e6 : Math.ceil(shares),
      venue: 'D',
      isShortSale: random.uniform() < shortShare,
    };
  });
}

/**
 * A day's short-sale volume of the funds in the wording of FINRA's file, which sums the prints of {@link dayPrints}. The
 * file is published in the evening: it is not known during the session.
 *
 * @see https://www.finra.org/finra-data/browse-catalog/short-sale-volume-data/daily-short-sale-volume-files
 */
export function shortVolumeText(date: string, prints: Readonly<Record<Fund, readonly SyntheticPrint[]>>): string {
  const rows = funds.toSorted().map((fund) => {
    const total = prints[fund].reduce((sum, { size }) => sum + size, 0);
    const short = prints[fund].reduce((sum, { size, isShortSale }) => sum + (isShortSale ? size : 0), 0);
    const exempt = Math.floor(short * 0.001);
    return [date.replaceAll('-', ''), fund, short.toFixed(6), exempt, total.toFixed(6), 'B,Q,N'].join('|');
  });
  return ['Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market', ...rows, rows.length, ''].join('\n');
}
