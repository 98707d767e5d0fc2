import type { Static } from 'typebox';
import type { GexData } from '#src/analytics/answers/schemas.ts';
import { points, signedDollars } from '#src/lib/charts/figures.ts';
import { type LevelLabel, levelLabels } from '#src/lib/charts/level-labels.ts';
import { type NamedLevel, namedLevels, reachFor } from '#src/lib/charts/named-levels.ts';
import { palettes } from '#src/lib/charts/palette.ts';
import { profileLegend, profileOption, profileRange } from '#src/lib/charts/profile-option.ts';
import type { Picture } from './draw-svg.ts';

/** Origin of a picture's figures. */
export interface Origin {
  readonly symbol: string;
  readonly as_of: string;
  readonly synthetic: boolean;
  readonly generation: number | string;
}

type Gex = Static<typeof GexData>;

const WIDTH = 960;
const HEIGHT = 620;
const LEFT = 84;
const RIGHT = 24;
/** Bottom of the upper plot, pixels from the top. */
const MIDDLE = 400;
/** Names of levels stand below the legend, in rows. */
const HEADS = { top: 108, row: 16 };
const UNIT = '$ per +1 %';

/**
 * Shows the net gamma of a symbol over its spot as the console does: every flip, its walls, and what each strike adds.
 */
export function profilePicture(origin: Origin, gex: Gex): Picture {
  const { flips, levels } = gex;
  const range = rangeOf(gex);
  const width = WIDTH - LEFT - RIGHT;
  const labels = levelLabels(withDirections(gex), range, width);
  const top = HEADS.top + HEADS.row * (1 + Math.max(0, ...labels.map(({ row }) => row))) + 4;
  const flipText =
    flips.primary === null ? `no flip (${flips.status})` : `primary flip at ${points(flips.primary.level)}`;
  const option = profileOption({ gex, range, expected: expectedOf(gex) }, labels, palettes.light, {
    left: LEFT,
    right: RIGHT,
    width,
    curve: { top, height: MIDDLE - top },
    bars: { bottom: 58, height: 130 },
    amounts: [`Net gamma over spot, ${UNIT}`, `By strike, ${UNIT}`],
  });
  return {
    width: WIDTH,
    height: HEIGHT,
    title: `${origin.symbol} gamma profile`,
    subtitle: `${originText(origin)} · dealers by generation ${origin.generation} · net ${signedDollars(gex.net_gex)} per +1 % · ${flipText}${levels.call_wall === null ? ' · no walls' : ''}`,
    option: { ...option, legend: legend(), graphic: heads(labels, top) },
  };
}

/** Tells when the figures are from, and of which market. */
export function originText({ as_of, synthetic }: Origin): string {
  const kind = synthetic ? 'SYNTHETIC market, no real quotes' : 'market data';
  return `${as_of.slice(0, 16).replace('T', ' ')} UTC · ${kind}`;
}

/** The prices that the console shows first, and farther where a flip or a wall lies beyond them. */
function rangeOf(gex: Gex): readonly [number, number] {
  const levels = namedLevels(gex);
  const [low, high] = profileRange(gex, reachFor(levels, gex.spot));
  const marks = levels.filter(({ tone }) => tone !== 'quiet').map(({ level }) => level);
  return [Math.min(low, ...marks.map((at) => at * 0.995)), Math.max(high, ...marks.map((at) => at * 1.005))];
}

/** The levels, flips with the signs of net gamma below and above them: a picture has no list of levels beside it. */
function withDirections(gex: Gex): readonly NamedLevel[] {
  return namedLevels(gex).map((named) => {
    const flip = named.tone === 'flip' && gex.flips.flips.find(({ level }) => level === named.level);
    return flip ? { ...named, short: `Flip ${flip.direction === 'neg_to_pos' ? '− to +' : '+ to −'} at` } : named;
  });
}

function expectedOf({ spot, levels: { expected_move_1d: move } }: Gex) {
  return move === null ? null : { lower: spot - move, upper: spot + move };
}

function legend(): object {
  return {
    left: LEFT,
    top: 76,
    itemGap: 24,
    data: profileLegend.map(({ series }) => series),
    formatter: (name: string) => profileLegend.find(({ series }) => series === name)?.text ?? name,
  };
}

function heads(labels: readonly LevelLabel[], bottom: number): readonly object[] {
  return labels.map(({ text, first, middle, row }) => ({
    type: 'text',
    silent: true,
    style: {
      text,
      x: LEFT + middle,
      y: bottom - HEADS.row * (row + 1),
      align: 'center',
      fill: palettes.light[first.tone],
      font: '600 11px Inter, system-ui, sans-serif',
    },
  }));
}
