import { normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { wilson } from '#src/analytics/domain/statistics/wilson.ts';
import type { Scorecard } from './scorecard-schema.ts';
import { type Signal, type SignalKind, signalKinds } from './signals-schema.ts';

/** A later price of a signal's symbol. */
export interface PricePoint {
  /** Epoch milliseconds. */
  readonly as_of: number;
  readonly spot: number;
}

interface Path {
  readonly last: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Outcome of a signal: whether it hit, and how likely a driftless log-normal walk was to; undefined where a figure it
 * needs is missing.
 */
interface Verdict {
  readonly hit: boolean;
  readonly chance: number | null;
}

interface HitRule {
  readonly hit: string;
  readonly judge: (signal: Signal, path: Path) => Verdict | undefined;
}

/** Room beyond a level that is still holding it: 0.1 %. */
const ROOM = 0.001;

/** Rules of a hit, by kind. Prices are those after the signal up to its expiry; "ends" is the last of them. */
const hitRules: Readonly<Record<SignalKind, HitRule>> = {
  regime_change: { hit: 'ends beyond (expand) or within (contract) one expected move', judge: size },
  flip_proximity: { hit: 'trades at or through the flip', judge: touches },
  flip_breach: { hit: 'ends on the side it crossed to', judge: staysBeyond },
  wall_test: { hit: 'never trades more than 0.1 % beyond the wall', judge: holds },
  wall_break: { hit: 'ends beyond the wall', judge: staysBeyond },
  pin: { hit: 'ends within a quarter of the expected move of the strike', judge: pins },
  charm_drift: { hit: 'ends in the direction of the flow', judge: drifts },
  vanna_squeeze: { hit: 'ends in the direction of the flow', judge: drifts },
  gtbr_breach: { hit: 'ends further in the direction of the breach', judge: drifts },
  shadow_instability: { hit: 'ends beyond one expected move', judge: size },
  dark_confirmation: { hit: 'never trades more than 0.1 % beyond the level', judge: holds },
  anomaly: { hit: 'ends beyond one expected move', judge: size },
};

/**
 * Hit rates of past signals of one symbol from its later prices (analytics.md 2.12). A signal counts once by its id, only
 * after a price at or past its expiry, and only with a price in its time.
 *
 * @param prices ascending in time
 */
export function scorecard(signals: readonly Signal[], prices: readonly PricePoint[], level = 0.95): Scorecard {
  const unique = [...new Map(signals.map((signal) => [signal.id, signal])).values()];
  const end = prices.at(-1)?.as_of ?? -Infinity;
  const kinds = signalKinds.map((kind) => {
    const own = unique.filter((signal) => signal.kind === kind);
    const expired = own.filter(({ expires_at }) => Date.parse(expires_at) <= end);
    const verdicts = expired.map((signal) => {
      const path = pathOf(signal, prices);
      return path === null ? undefined : hitRules[kind].judge(signal, path);
    });
    const scored = verdicts.filter((verdict) => verdict !== undefined);
    const chances = scored.map(({ chance }) => chance).filter((chance) => chance !== null);
    return {
      kind,
      hit: hitRules[kind].hit,
      signals: own.length,
      pending: own.length - expired.length,
      unscored: expired.length - scored.length,
      ...wilson(scored.filter(({ hit }) => hit).length, scored.length, level),
      // A mean over some of them would be that of other signals.
      chance:
        chances.length === 0 || chances.length < scored.length
          ? null
          : chances.reduce((sum, chance) => sum + chance, 0) / chances.length,
    };
  });
  return { kinds, level };
}

function pathOf(signal: Signal, prices: readonly PricePoint[]): Path | null {
  const [from, to] = [Date.parse(signal.as_of), Date.parse(signal.expires_at)];
  const within = prices.filter(({ as_of }) => as_of > from && as_of <= to).map(({ spot }) => spot);
  const last = within.at(-1);
  return last === undefined ? null : { last, low: Math.min(...within), high: Math.max(...within) };
}

/** A distance from the signal's spot, in standard deviations of its horizon; null without a volatility. */
function sigmas({ spot, expected_move_pct }: Signal, level: number): number | null {
  return expected_move_pct === null || expected_move_pct <= 0
    ? null
    : Math.log(level / spot) / (expected_move_pct / 100);
}

function size(signal: Signal, { last }: Path): Verdict | undefined {
  const moved = sigmas(signal, last);
  if (moved === null) return undefined;
  const beyond = 2 * normalCdf(-1);
  if (signal.direction === 'contract') return { hit: Math.abs(moved) < 1, chance: 1 - beyond };
  return { hit: Math.abs(moved) >= 1, chance: beyond };
}

function drifts({ spot, direction }: Signal, { last }: Path): Verdict {
  return { hit: direction === 'up' ? last > spot : last < spot, chance: 0.5 };
}

function touches(signal: Signal, { low, high }: Path): Verdict | undefined {
  if (signal.level === null) return undefined;
  const away = sigmas(signal, signal.level);
  // The reflection principle: a walk reaches a level twice as often as it ends beyond it.
  const chance = away === null ? null : 2 * normalCdf(-Math.abs(away));
  return { hit: signal.level >= signal.spot ? high >= signal.level : low <= signal.level, chance };
}

function holds(signal: Signal, { low, high }: Path): Verdict | undefined {
  if (signal.level === null) return undefined;
  // Resistance expects spot down, support up.
  const edge = signal.level * (signal.direction === 'down' ? 1 + ROOM : 1 - ROOM);
  const away = sigmas(signal, edge);
  const chance = away === null ? null : 1 - 2 * normalCdf(-Math.abs(away));
  return { hit: signal.direction === 'down' ? high <= edge : low >= edge, chance };
}

function staysBeyond(signal: Signal, { last }: Path): Verdict | undefined {
  if (signal.level === null) return undefined;
  const side = signal.direction === 'up' ? 1 : -1;
  const away = sigmas(signal, signal.level);
  return { hit: (last - signal.level) * side > 0, chance: away === null ? null : normalCdf(-away * side) };
}

function pins(signal: Signal, { last }: Path): Verdict | undefined {
  if (signal.level === null) return undefined;
  const [end, away] = [sigmas(signal, last), sigmas(signal, signal.level)];
  if (end === null || away === null) return undefined;
  return { hit: Math.abs(end - away) <= 0.25, chance: normalCdf(away + 0.25) - normalCdf(away - 0.25) };
}
