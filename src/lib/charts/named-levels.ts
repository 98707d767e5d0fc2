import { isFigure } from './figures.ts';
import type { Palette } from './palette.ts';

/** The levels of a symbol, as the API gives them. */
export interface LevelFigures {
  readonly spot: number;
  readonly flips: {
    readonly primary: { readonly level: number } | null;
    readonly flips: readonly { readonly level: number; readonly direction: keyof typeof directions }[];
  };
  readonly levels: {
    readonly call_wall: number | null;
    readonly put_wall: number | null;
    readonly abs_gamma: number | null;
    readonly hvl: number | null;
    readonly pin_strike?: number | null;
  };
}

/** A price that means something to dealers. */
export interface NamedLevel {
  readonly name: string;
  /** The same above a chart. */
  readonly short: string;
  readonly level: number;
  /** Its colour in every chart. */
  readonly tone: keyof Palette;
  readonly line: 'solid' | 'dashed' | 'dotted';
  /** Effect of the level on the market. */
  readonly meaning: string;
}

const directions = {
  neg_to_pos: 'above it dealers damp moves, below they amplify them',
  pos_to_neg: 'above it dealers amplify moves, below they damp them',
} as const;

/** Every level of a symbol with spot among them, highest first. */
export function namedLevels({ spot, flips, levels }: LevelFigures): NamedLevel[] {
  const primary = flips.primary?.level;
  const walls = [
    named(
      ['Call wall', 'Call wall'],
      levels.call_wall,
      'call',
      'solid',
      'dealers are most long calls here, at or above spot: moves up tire here',
    ),
    named(
      ['Put wall', 'Put wall'],
      levels.put_wall,
      'put',
      'solid',
      'dealers are most short puts here, at or below spot',
    ),
    named(
      ['Largest gamma', 'Max gamma'],
      levels.abs_gamma,
      'quiet',
      'dotted',
      'strike with the most gamma of calls and puts together',
    ),
    named(
      ['High volatility level', 'HVL'],
      levels.hvl,
      'quiet',
      'dotted',
      'strike where gamma summed from below is least',
    ),
    named(
      ['Pin strike', 'Pin'],
      levels.pin_strike,
      'quiet',
      'dotted',
      'most gamma expiring today: spot tends to it late',
    ),
  ];
  const crossings = flips.flips.map(({ level, direction }) =>
    level === primary
      ? named(['Gamma flip', 'Flip'], level, 'flip', 'dashed', directions[direction])
      : named(['Further flip', 'Flip'], level, 'flip', 'dotted', directions[direction]),
  );
  const all = [named(['Spot', 'Spot'], spot, 'spot', 'solid', 'where the underlying is now'), ...walls, ...crossings];
  return all.flat().toSorted((a, b) => b.level - a.level);
}

function named(
  [name, short]: readonly [string, string],
  level: number | null | undefined,
  tone: NamedLevel['tone'],
  line: NamedLevel['line'],
  meaning: string,
): NamedLevel[] {
  return isFigure(level) ? [{ name, short, level, tone, line, meaning }] : [];
}

/** The prices that can be shown around spot, percent to each side. */
export const reaches = [3, 6, 15] as const;

/** The least of the reaches that has the first flip and both walls in it; the widest where none has. */
export function reachFor(levels: readonly NamedLevel[], spot: number): number {
  const wanted = levels.filter(({ name }) => ['Call wall', 'Put wall', 'Gamma flip'].includes(name));
  const reach = Math.max(0, ...wanted.map(({ level }) => Math.abs(100 * (level / spot - 1))));
  return reaches.find((one) => one > 1.05 * reach) ?? 15;
}
