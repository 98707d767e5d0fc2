/** Shares of one security reported off exchange on one day. */
export interface DarkVolume {
  readonly shortVolume: number;
  readonly totalVolume: number;
}

/** A constituent of an index on one day. */
export interface DarkConstituent extends DarkVolume {
  /** Dollars per share. */
  readonly price: number;
}

/**
 * DPI: the part of off-exchange volume that was sold short, 0 to 1; null without volume. Market makers who fill a
 * customer's purchase sell short to do so, hence a high share reads as buying.
 *
 * @see SqueezeMetrics, "Short is Long" (2018)
 */
export function darkShare({ shortVolume, totalVolume }: DarkVolume): number | null {
  return totalVolume > 0 ? shortVolume / totalVolume : null;
}

/** DIX: DPI over the constituents, weighted by dollars traded off exchange, 0 to 1; null without any. */
export function darkIndex(constituents: readonly DarkConstituent[]): number | null {
  let [short, total] = [0, 0];
  for (const { price, shortVolume, totalVolume } of constituents) {
    short += price * shortVolume;
    total += price * totalVolume;
  }
  return total > 0 ? short / total : null;
}

export const zDays = { window: 60, least: 20 } as const;

export type ZStatus = 'ok' | 'no_data' | 'short_history' | 'no_variation';

/**
 * Computes how many standard deviations `today` is from the mean of up to 60 days before it (oldest first, `today` not
 * among them). Under 20 days there is none, nor where all days were alike.
 */
export function zScore(today: number | null, before: readonly number[]): { z: number | null; status: ZStatus } {
  if (today === null) return { z: null, status: 'no_data' };
  const days = before.slice(-zDays.window);
  if (days.length < zDays.least) return { z: null, status: 'short_history' };
  const mean = days.reduce((sum, day) => sum + day, 0) / days.length;
  const variance = days.reduce((sum, day) => sum + (day - mean) ** 2, 0) / (days.length - 1);
  // Under rounding of the mean there is nothing to divide by.
  if (variance <= 1e-24 * mean * mean) return { z: null, status: 'no_variation' };
  return { z: (today - mean) / Math.sqrt(variance), status: 'ok' };
}
