const compact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 3,
});
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Placeholder where there is no figure: never a zero that was not measured. */
export const none = '–';

type Figure = number | null | undefined;

/** Dollars in three digits: `$79.2B`, `-$340M`. */
export function dollars(value: Figure): string {
  return isFigure(value) ? compact.format(value) : none;
}

/** Dollars with their sign, where the sign is what matters: `+$79.2B`. */
export function signedDollars(value: Figure): string {
  return isFigure(value) && value > 0 ? `+${dollars(value)}` : dollars(value);
}

/** Index points or a price; whole ones without decimals, as strikes are. */
export function points(value: Figure): string {
  if (!isFigure(value)) return none;
  return Number.isInteger(value) ? whole.format(value) : fine.format(value);
}

/** A decimal as percent: 0.115 is `11.5 %`. */
export function percent(value: Figure, digits = 1): string {
  return isFigure(value) ? `${(100 * value).toFixed(digits)} %` : none;
}

/** Formats the distance of a level from another, percent with its sign: `+0.18 %`. */
export function distance(level: Figure, from: Figure): string {
  if (!isFigure(level) || !isFigure(from) || from === 0) return none;
  const change = 100 * (level / from - 1);
  return `${change > 0 ? '+' : ''}${change.toFixed(2)} %`;
}

/** `strong_positive` as people say it. */
export function words(name: string | null | undefined): string {
  return name ? name.replaceAll('_', ' ') : none;
}

/** Numbers that are there. */
export function isFigure(value: Figure): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const exchangeTime = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const exchangeMoment = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Time of day at the exchange: `09:30`. */
export function timeAtExchange(at: string | number): string {
  return exchangeTime.format(new Date(at));
}

/** Day and time at the exchange: `Nov 20, 14:12:12`. */
export function momentAtExchange(at: string | number): string {
  return exchangeMoment.format(new Date(at));
}
