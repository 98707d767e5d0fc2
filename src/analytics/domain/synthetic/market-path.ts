import { BUSINESS_MINUTE } from '#src/analytics/domain/calendar/clocks.ts';
import {
  latestSession,
  type Session,
  sessionOf,
  upcomingSession,
} from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import { randomBits, randomUniform, streamKey, WALK_STEPS, walk } from './counter-random.ts';
import { FIRST_DAY, nightMinutes, sessionMinutes, tradingNumber } from './trading-index.ts';
import { indexFactors } from './underlyings.ts';

/** Columns of a state: log levels of the indices, the variance, three volatility factors of each index. */
export const VARIANCE = 3;
export const FACTORS = 4;
const STATE = 13;

/**
 * Volatility factors, fast to slow: how much the log of implied variance falls with the log of SPX, the speed of its
 * return per business year, its own noise per √year, and how far it follows the realised variance.
 */
export const volatilityFactors = [
  { loading: 28, speed: 87, noise: 1.2, follow: 0.6 },
  { loading: 11, speed: 11.6, noise: 0.5, follow: 0.5 },
  { loading: 4, speed: 1.94, noise: 0.2, follow: 0.2 },
] as const;

/** The tables as columns, for the step that runs a million times. */
const SCALES = Float64Array.from(indexFactors, ({ scale }) => scale);
const SHARES = Float64Array.from(indexFactors, ({ correlation }) => correlation);
const OWN_SHARES = SHARES.map((share) => Math.sqrt(1 - share * share));
const LOADINGS = Float64Array.from(volatilityFactors, ({ loading }) => loading);
const SPEEDS = Float64Array.from(volatilityFactors, ({ speed }) => speed);
const NOISES = Float64Array.from(volatilityFactors, ({ noise }) => noise);
const FOLLOWS = Float64Array.from(volatilityFactors, ({ follow }) => follow);

/** Heston's variance of SPX, per business year; 2·speed·mean ≥ noise² keeps it above zero between steps. */
const heston = { mean: 0.021, speed: 6, noise: 0.5, correlation: -0.7 } as const;
/** Jumps of SPX: how many a year, and their size in logs. */
const jumps = { perYear: 4, mean: -0.015, deviation: 0.02 } as const;
/** Log levels are drawn back to zero over years, so that a century away strikes still look like today's. */
const LEVEL_SPEED = 0.35;
const PREMIUM = 0.04;
const MS_PER_MINUTE = 60_000;
const MS_PER_STEP = MS_PER_MINUTE / WALK_STEPS;
const NIGHT = 1000;
const MAX_WARM_DAYS = 6;

export interface PathOptions {
  readonly seed: number;
  /** From the first full minute at or after `at` (epoch ms) chance is that of another seed: what came before is the same. */
  readonly fork?: { readonly at: number; readonly seed: number } | undefined;
}

/** State of the market: at an instant of a session, or at its end. */
export interface PathPoint {
  /** The instant itself, or the close before it where no session runs; epoch ms. */
  readonly at: number;
  /** Number of the trading day. */
  readonly day: number;
  readonly session: Session;
  readonly state: Float64Array;
}

/** The joint path of the indices and their volatility. */
export interface MarketPath {
  pointAt(instant: number): PathPoint;
  /** Log level of an index at the opening and the close of a trading day. */
  ends(day: number, index: number): { readonly open: number; readonly close: number };
  /** The key of what is drawn once a day, at its opening. */
  dayKey(day: number, ...purpose: readonly (string | number)[]): number;
}

/**
 * Heston's variance with jumps, U-shaped over the session, driving three correlated indices and the factors of their
 * volatility surfaces. Each minute is one step whose randomness is a pure function of seed, day and minute; a day begins
 * where the one before ended, and beginnings are kept, so that only the requested day is walked in full.
 */
export function openMarketPath({ seed, fork }: PathOptions): MarketPath {
  const key = streamKey(seed);
  const forkKey = fork ? streamKey(fork.seed) : key;
  const forked = fork ? forkPoint(fork.at) : { day: Infinity, minute: 0 };
  const keyOf = (day: number, minute: number): number =>
    day > forked.day || (day === forked.day && minute >= forked.minute) ? forkKey : key;
  const starts: Float64Array[] = [openingState()];
  const closes: Float64Array[] = [];
  const warm = new Map<number, Float64Array[]>();

  const walkDay = (day: number, minutes?: Float64Array[]): void => {
    const state = Float64Array.from(starts[day]!);
    const weights = minuteWeights(sessionMinutes(day));
    for (let minute = 0; minute < weights.length; minute++) {
      minutes?.push(Float64Array.from(state));
      step(state, { key: keyOf(day, minute), day, minute, weight: weights[minute]!, steps: WALK_STEPS });
    }
    minutes?.push(Float64Array.from(state));
    closes[day] ??= Float64Array.from(state);
    if (starts.length > day + 1) return;
    // The night belongs to the opening that ends it.
    const night = nightMinutes(day + 1);
    step(state, { key: keyOf(day + 1, 0), day: day + 1, minute: NIGHT, weight: night, steps: WALK_STEPS });
    starts.push(state);
  };
  const reach = (day: number): void => {
    while (starts.length <= day) walkDay(starts.length - 1);
  };
  const minutesOf = (day: number): Float64Array[] => {
    let minutes = warm.get(day);
    if (!minutes) {
      reach(day);
      minutes = [];
      walkDay(day, minutes);
      if (warm.size >= MAX_WARM_DAYS) warm.delete(warm.keys().next().value ?? day);
      warm.set(day, minutes);
    }
    return minutes;
  };
  let recent: { session: Session; day: number } | undefined;
  const sessionAt = (instant: number): { session: Session; day: number } => {
    if (!recent || instant < recent.session.open || instant > recent.session.close) {
      const session = sessionBefore(instant);
      recent = { session, day: tradingNumber(session.date) };
    }
    return recent;
  };
  return {
    pointAt: (instant) => {
      const { session, day } = sessionAt(instant);
      const at = Math.min(instant, session.close);
      const minutes = minutesOf(day);
      const minute = Math.floor((at - session.open) / MS_PER_MINUTE);
      const state = Float64Array.from(minutes[minute]!);
      const steps = Math.floor((at - session.open - minute * MS_PER_MINUTE) / MS_PER_STEP);
      if (steps > 0) {
        const weight = minuteWeights(sessionMinutes(day))[minute]!;
        step(state, { key: keyOf(day, minute), day, minute, weight, steps });
      }
      return { at, day, session, state };
    },
    ends: (day, index) => {
      reach(day + 1);
      return { open: starts[day]![index]!, close: closes[day]![index]! };
    },
    dayKey: (day, ...purpose) => streamKey(keyOf(day, 0), day, ...purpose),
  };
}

function forkPoint(at: number): { day: number; minute: number } {
  const session = sessionOf(newYorkDate(at));
  if (!session || at <= session.open || at > session.close) {
    const next = session && at <= session.open ? session : upcomingSession(at);
    return { day: tradingNumber(next.date), minute: 0 };
  }
  return { day: tradingNumber(session.date), minute: Math.ceil((at - session.open) / MS_PER_MINUTE) };
}

/**
 * The session that runs, or the last before.
 *
 * @throws RangeError before the first opening.
 */
function sessionBefore(instant: number): Session {
  const session = latestSession(instant);
  if (session.date >= FIRST_DAY) return session;
  throw new RangeError(
    `expected an instant from the opening of ${FIRST_DAY} on, got ${new Date(instant).toISOString()}`,
  );
}

function openingState(): Float64Array {
  const state = new Float64Array(STATE);
  state[VARIANCE] = heston.mean;
  return state;
}

interface Step {
  readonly key: number;
  readonly day: number;
  readonly minute: number;
  /** Session minutes that the step is worth, before the fraction of it that is done. */
  readonly weight: number;
  /** Number of the 32 parts of the step that have passed. */
  readonly steps: number;
}

/** Moves a state by a minute or a night, or by the part of it that has passed. */
function step(state: Float64Array, { key, day, minute, weight, steps }: Step): void {
  const full = weight * BUSINESS_MINUTE;
  const years = (full * steps) / WALK_STEPS;
  const variance = Math.max(state[VARIANCE]!, 1e-4);
  const deviation = Math.sqrt(variance * full);
  const market = walk(randomBits(key, day, minute), steps);
  const root = Math.sqrt(full);
  const jump = jumpOf({ key, day, minute, weight, steps });
  const others = walk(randomBits(key ^ 0x51ed270b, day, minute), steps);
  const follow = Math.log(variance / heston.mean);
  for (let index = 0; index < 3; index++) {
    const scale = SCALES[index]!;
    const alone = index === 0 ? 0 : deviation * walk(randomBits(key ^ (0x2f0b4c47 + index), day, minute), steps);
    const move = scale * (SHARES[index]! * (deviation * market + jump) + OWN_SHARES[index]! * alone);
    const level = state[index]!;
    state[index] = level + move + (PREMIUM - 0.5 * scale * scale * variance - LEVEL_SPEED * level) * years;
    for (let f = 0; f < 3; f++) {
      const slot = FACTORS + 3 * index + f;
      const pull = SPEEDS[f]! * (FOLLOWS[f]! * follow - state[slot]!) * years;
      state[slot] = state[slot]! + pull - (LOADINGS[f]! / scale) * move + NOISES[f]! * root * others;
    }
  }
  const { mean, speed, noise, correlation } = heston;
  const own = walk(randomBits(key ^ 0x6b43a9b5, day, minute), steps);
  const shock = correlation * market + Math.sqrt(1 - correlation * correlation) * own;
  state[VARIANCE] = Math.max(
    variance + speed * (mean - variance) * years + noise * Math.sqrt(variance) * root * shock,
    1e-4,
  );
}

/** The jump of SPX in a step, if it has one and it has happened. */
function jumpOf({ key, day, minute, weight, steps }: Step): number {
  const chance = jumps.perYear * weight * BUSINESS_MINUTE;
  const drawn = randomUniform(key ^ 0x1b56c4e9, day, minute);
  if (drawn >= chance || steps <= Math.floor((drawn / chance) * WALK_STEPS)) return 0;
  return jumps.mean + jumps.deviation * walk(randomBits(key ^ 0x7a3d11f3, day, minute), WALK_STEPS);
}

const weightTables = new Map<number, Float64Array>();

/** Weights of a session's minutes, mean 1: high after the opening, low at noon, higher towards the close. */
export function minuteWeights(minutes: number): Float64Array {
  let weights = weightTables.get(minutes);
  if (!weights) {
    weights = Float64Array.from({ length: minutes }, (_, minute) => {
      const passed = (minute + 0.5) / minutes;
      return 0.6 + 0.9 * (2 * passed - 1) ** 2 + 1.5 * Math.exp(-passed / 0.05);
    });
    const mean = weights.reduce((sum, weight) => sum + weight, 0) / minutes;
    weights = weights.map((weight) => weight / mean);
    weightTables.set(minutes, weights);
  }
  return weights;
}
