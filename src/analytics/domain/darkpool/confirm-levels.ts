/** A level and the off-exchange volume around it. */
export interface ConfirmedLevel {
  readonly name: string;
  readonly level: number;
  readonly dark_share: number;
  readonly uniform_share: number;
  readonly confirmed: boolean;
}

/** Half width of the band around a level, as a part of it. */
const BAND = 0.0025;
/** A level is confirmed where its band holds this many times what evenly spread volume would put there. */
const FACTOR = 1.5;

/** Prices in the level's points, and the shares traded at each. */
export interface PricedVolume {
  readonly price: Float64Array;
  readonly shares: Float64Array;
}

/**
 * Checks whether off-exchange volume gathers within ±0.25 % of each level, against volume spread evenly over the range
 * of prices that traded. Null where nothing traded or all of it at one price: there is no range to spread it over.
 */
export function confirmLevels(
  levels: Readonly<Record<string, number | null>>,
  { price, shares }: PricedVolume,
): ConfirmedLevel[] | null {
  let [low, high, total] = [Infinity, -Infinity, 0];
  for (let i = 0; i < price.length; i++) {
    low = Math.min(low, price[i]!);
    high = Math.max(high, price[i]!);
    total += shares[i]!;
  }
  if (!(total > 0 && high > low)) return null;
  const confirmed: ConfirmedLevel[] = [];
  for (const [name, level] of Object.entries(levels)) {
    if (level === null) continue;
    const [from, to] = [level * (1 - BAND), level * (1 + BAND)];
    const inside = shares.reduce((sum, size, i) => (price[i]! >= from && price[i]! <= to ? sum + size : sum), 0);
    const overlap = Math.max(Math.min(to, high) - Math.max(from, low), 0);
    const [dark_share, uniform_share] = [inside / total, overlap / (high - low)];
    const isConfirmed = dark_share > 0 && dark_share > FACTOR * uniform_share;
    confirmed.push({ name, level, dark_share, uniform_share, confirmed: isConfirmed });
  }
  return confirmed;
}
