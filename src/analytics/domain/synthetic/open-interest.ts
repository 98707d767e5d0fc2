import { inverseNormalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { randomUniform, streamKey } from './counter-random.ts';
import { type ListedExpiry, listingClasses } from './listed-expiries.ts';

/** One contract of the made-up market. */
export interface SyntheticContract {
  readonly expiry: ListedExpiry;
  readonly strike: number;
  readonly isCall: boolean;
  /** Number of the first trading day with it. */
  readonly listed: number;
  /** Key of its own random numbers. */
  readonly key: number;
}

/** Inputs that positions are made from, all known at the opening of their day. */
export interface PositionSetting {
  readonly kind: 'index' | 'etf';
  /** Open interest of a favourite strike of a weekly, contracts. */
  readonly interest: number;
  /** Typical volatility of a year. */
  readonly volatility: number;
  /** Mood of customers on a trading day, about standard normal: above zero calls, below it puts. */
  moodOf(day: number): number;
  /** Mean close of the twenty days before a trading day. */
  referenceOf(day: number): number;
  /** The key of what all contracts of that day share. */
  dayKey(day: number, purpose: string): number;
}

export interface Positions {
  /** Contracts open at the close. */
  readonly open: number;
  /** Dealers' position in them: above zero long, never more than are open. */
  readonly dealers: number;
}

/** Effect of a unit of mood on the log of what is open, up in calls and down in puts. */
const CROWDING = 0.35;
/**
 * Effect of a unit of mood on the dealers' share: they buy the calls that are written, and sell the puts that are
 * wanted.
 */
const TILTING = 0.15;

const NONE: Positions = { open: 0, dealers: 0 };

/**
 * Open interest and the dealers' true position of a contract at the close of a trading day, each a closed form of the day,
 * so that no earlier day need be traded first; the day's trades are made to lead from one to the next.
 */
export function positionsAt(contract: SyntheticContract, day: number, setting: PositionSetting): Positions {
  const { expiry, strike, isCall, listed, key } = contract;
  if (day < listed) return NONE;
  const { days, popularity, growth } = listingClasses[expiry.listing];
  const deviation = setting.volatility * Math.sqrt(days / 365);
  const distance = Math.log(strike / setting.referenceOf(day)) / (0.6 * deviation);
  const bell = Math.exp(-0.5 * ((distance - (isCall ? 0.5 : -0.9)) / 1.1) ** 2) + 0.004;
  const ramp = -Math.expm1(-(day - listed + 1) / growth);
  const luck = Math.exp(0.55 * ownNormal(key, 1) + 0.12 * drift(setting, key, day));
  const mood = setting.moodOf(day);
  const wanted = (isCall ? 0.8 : 1) * Math.exp((isCall ? CROWDING : -CROWDING) * mood);
  const size = setting.interest * popularity * wanted * roundness(strike, setting.referenceOf(day));
  const open = Math.round(size * bell * ramp * luck);
  const tilt = dealersTilt(contract, distance, setting.kind);
  const shared = 0.25 * drift(setting, bucketKey(contract, distance), day);
  const alone = 0.35 * ownNormal(key, 2) + 0.1 * drift(setting, key ^ 0x3c6ef372, day);
  const share = Math.min(Math.max(tilt + TILTING * mood + shared + alone, -0.95), 0.95);
  // Adding zero turns −0 into 0.
  return { open, dealers: Math.trunc(open * share) + 0 };
}

/** The share of the open interest that dealers are long of by habit: customers sell calls over, and buy puts under. */
function dealersTilt({ expiry, isCall }: SyntheticContract, distance: number, kind: 'index' | 'etf'): number {
  const out = isCall ? distance : -distance;
  if (expiry.listing === 'daily') return kind === 'etf' && isCall && out > 1 ? -0.3 : isCall ? 0.08 : -0.1;
  if (out < -0.3) return isCall ? 0.12 : -0.18;
  return isCall ? 0.5 : -0.7;
}

/** Contracts that are traded for like reasons err together. */
function bucketKey({ expiry, isCall }: SyntheticContract, distance: number): number {
  const place = distance < -1 ? 0 : distance < 0 ? 1 : distance < 1 ? 2 : 3;
  return streamKey('bucket', expiry.listing, isCall ? 1 : 0, place);
}

/** Strikes that end in more zeros draw more trade. */
function roundness(strike: number, reference: number): number {
  const unit = 10 ** Math.floor(Math.log10(reference) - 1);
  if (strike % (5 * unit) === 0) return 3;
  if (strike % unit === 0) return 2;
  return strike % (unit / 2) === 0 ? 1.4 : 1;
}

function ownNormal(key: number, purpose: number): number {
  return inverseNormalCdf(randomUniform(key, purpose));
}

/** A normal that moves in straight lines between shocks five days apart, all of them drawn by then. */
function drift(setting: PositionSetting, key: number, day: number): number {
  const block = Math.floor(day / 5);
  const at = (number: number): number =>
    inverseNormalCdf(randomUniform(setting.dayKey(Math.max(5 * number, 0), 'drift') ^ key, number + 1));
  const done = (day - 5 * block + 1) / 5;
  return at(block - 1) * (1 - done) + at(block) * done;
}
