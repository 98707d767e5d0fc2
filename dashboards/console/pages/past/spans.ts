/** A time up to now, of which the past is shown. */
export interface Span {
  /** Name among the others: `6 h`. */
  readonly label: string;
  /** The same in words. */
  readonly words: string;
  readonly seconds: number;
  /** Step as the API takes it. */
  readonly step: string;
  /** Seconds after which it is read again. */
  readonly every: number;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

export const spans: readonly Span[] = [
  { label: '1 h', words: 'the last hour', seconds: HOUR, step: '1m', every: 15 },
  { label: '6 h', words: 'the last 6 hours', seconds: 6 * HOUR, step: '5m', every: 60 },
  { label: '24 h', words: 'the last 24 hours', seconds: DAY, step: '10m', every: 120 },
  { label: '7 d', words: 'the last 7 days', seconds: 7 * DAY, step: '1h', every: 600 },
  { label: '30 d', words: 'the last 30 days', seconds: 30 * DAY, step: '6h', every: 600 },
  { label: '12 mo', words: 'the last 12 months', seconds: 365 * DAY, step: '7d', every: 600 },
];
