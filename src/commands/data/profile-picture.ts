import type { Static } from 'typebox';
import type { GexData } from '#src/analytics/answers/schemas.ts';
import { element, line, type Point, page, text, through, ticks } from './svg.ts';

/** What a picture says of where its figures come from. */
export interface Origin {
  readonly symbol: string;
  readonly as_of: string;
  readonly synthetic: boolean;
  readonly generation: number | string;
}

const WIDTH = 960;
const HEIGHT = 620;
const LEFT = 86;
const RIGHT = WIDTH - 28;
/** Net gamma against spot above, by strike below. */
const CURVE = { top: 140, bottom: 400 };
const BARS = { top: 432, bottom: 562 };
const BILLION = 1e9;

/** The net gamma of a symbol against its spot, every flip, its walls, and where it comes from strike by strike; SVG. */
export function profilePicture(origin: Origin, data: Static<typeof GexData>): string {
  const { spot, gamma_profile: profile, flips, levels } = data;
  const marks = marksOf(data);
  const [low, high] = [
    Math.min(spot * 0.92, ...marks.map(({ at }) => at * 0.995)),
    Math.max(spot * 1.08, ...marks.map(({ at }) => at * 1.005)),
  ];
  const x = (at: number) => LEFT + ((at - low) / (high - low)) * (RIGHT - LEFT);
  const shown = profile.spots.flatMap((at, i) => (at >= low && at <= high ? [[at, profile.gex[i] ?? 0] as const] : []));
  const y = scale(
    CURVE,
    shown.map(([, gex]) => gex),
  );
  const rows = data.profile_by_strike.filter(({ strike }) => strike >= low && strike <= high);
  const barY = scale(
    BARS,
    rows.map(({ gex }) => gex),
  );
  const curve = shown.map(([at, gex]): Point => [x(at), y.of(gex)]);
  const wide = Math.max(1.2, Math.min(9, ((RIGHT - LEFT) / Math.max(rows.length, 1)) * 0.7));
  const flipText =
    flips.primary === null ? `no flip (${flips.status})` : `primary flip at ${points(flips.primary.level)}`;
  return page({
    width: WIDTH,
    height: HEIGHT,
    title: `${origin.symbol} gamma profile`,
    subtitle: `${originText(origin)} · net ${billions(data.net_gex)} $bn per +1 % · ${flipText}`,
    content: [
      ...y.ticks.map((gex) => gridLine(y.of(gex), billions(gex))),
      ...barY.ticks.map((gex) => gridLine(barY.of(gex), billions(gex))),
      ...ticks(low, high, 8).map((at) =>
        [
          line([x(at), CURVE.top], [x(at), BARS.bottom], { class: 'grid' }),
          text(points(at), { class: 'soft', x: x(at), y: BARS.bottom + 20, 'text-anchor': 'middle' }),
        ].join(''),
      ),
      ...area(curve, y.of(0)),
      line([LEFT, y.of(0)], [RIGHT, y.of(0)], { class: 'axis' }),
      element('path', { d: through(curve), fill: 'none', class: 'curve', 'stroke-width': 2 }),
      ...rows.map(({ strike, gex }) => {
        const [top, bottom] = gex > 0 ? [barY.of(gex), barY.of(0)] : [barY.of(0), barY.of(gex)];
        const side = gex > 0 ? 'long' : 'short';
        return element('rect', { class: side, x: x(strike) - wide / 2, y: top, width: wide, height: bottom - top });
      }),
      line([LEFT, barY.of(0)], [RIGHT, barY.of(0)], { class: 'axis' }),
      text('long gamma: moves damped', {
        class: 'soft',
        x: RIGHT - 8,
        y: y.of(0) - 8,
        'text-anchor': 'end',
      }),
      text('short gamma: moves amplified', { class: 'soft', x: LEFT + 8, y: y.of(0) + 18 }),
      ...drawMarks(marks.map((mark) => ({ ...mark, x: x(mark.at) }))),
      text('Net GEX against spot, $bn per +1 %', { class: 'soft', ...upright(CURVE) }),
      text('By strike', { class: 'soft', ...upright(BARS) }),
      text(`Spot and strikes, points${levels.call_wall === null ? '; no walls' : ''}`, {
        class: 'soft',
        x: (LEFT + RIGHT) / 2,
        y: HEIGHT - 16,
        'text-anchor': 'middle',
      }),
    ],
  });
}

export function originText({ as_of, synthetic, generation }: Origin): string {
  const kind = synthetic ? 'SYNTHETIC market, no real quotes' : 'market data';
  return `${as_of.slice(0, 16).replace('T', ' ')} UTC · ${kind} · dealers by generation ${generation}`;
}

interface Mark {
  readonly at: number;
  readonly label: string;
  readonly kind: 'spot' | 'flip' | 'wall';
  readonly dash: string;
}

function marksOf({ spot, flips, levels }: Static<typeof GexData>): Mark[] {
  const wall = (at: number | null, name: string): Mark[] =>
    at === null ? [] : [{ at, label: `${name} ${points(at)}`, kind: 'wall', dash: '7 4' }];
  return [
    { at: spot, label: `spot ${points(spot)}`, kind: 'spot', dash: '' },
    ...flips.flips.map(
      ({ level, direction }): Mark => ({
        at: level,
        label: `flip ${points(level)} ${direction === 'neg_to_pos' ? '− to +' : '+ to −'}`,
        kind: 'flip',
        dash: '2 3',
      }),
    ),
    ...wall(levels.call_wall, 'call wall'),
    ...wall(levels.put_wall, 'put wall'),
  ];
}

/** Lines at the levels; then their names above, in rows where none covers another. */
function drawMarks(marks: readonly (Mark & { readonly x: number })[]): string[] {
  const ends: number[] = [];
  const placed = marks
    .toSorted((left, right) => left.x - right.x)
    .map((mark) => {
      const half = mark.label.length * 3.7 + 6;
      const middle = Math.min(Math.max(mark.x, LEFT + half), RIGHT - half);
      const free = ends.findIndex((end) => end < middle - half);
      const row = free === -1 ? ends.length : free;
      ends[row] = middle + half;
      return { ...mark, half, middle, top: CURVE.top - 12 - row * 19 };
    });
  return [
    ...placed.map(({ x, top, kind, dash }) =>
      line([x, top], [x, BARS.bottom], { class: kind, 'stroke-width': 1.6, 'stroke-dasharray': dash }),
    ),
    ...placed.flatMap(({ middle, half, top, label }) => [
      // a ground of its own, so that no line runs through the words
      element('rect', { class: 'page', x: middle - half, y: top - 13, width: 2 * half, height: 18 }),
      text(label, { class: 'ink', x: middle, y: top, 'text-anchor': 'middle' }),
    ]),
  ];
}

/** Where dealers are long gamma and where short, filled to the zero line. */
function area(curve: readonly Point[], zero: number): string[] {
  const first = curve[0];
  const last = curve.at(-1);
  if (!first || !last) return [];
  return (['long', 'short'] as const).map((side) => {
    const clipped = curve.map(([x, y]): Point => [x, side === 'long' ? Math.min(y, zero) : Math.max(y, zero)]);
    const d = `${through([[first[0], zero], ...clipped, [last[0], zero]])}Z`;
    return element('path', { d, class: side, 'fill-opacity': 0.28 });
  });
}

function scale({ top, bottom }: typeof CURVE, values: readonly number[]) {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = (most - least || 1) * 0.06;
  const [low, high] = [least - room, most + room];
  const of = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top);
  return { of, ticks: ticks(low, high, (bottom - top) / 45) };
}

function gridLine(y: number, label: string): string {
  const at = text(label, { class: 'soft', x: LEFT - 10, y: y + 4, 'text-anchor': 'end' });
  return line([LEFT, y], [RIGHT, y], { class: 'grid' }) + at;
}

function upright({ top, bottom }: typeof CURVE) {
  const y = (top + bottom) / 2;
  return { x: 24, y, transform: `rotate(-90 24 ${y})`, 'text-anchor': 'middle' };
}

function points(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 1_000 ? 2 : 0 });
}

function billions(value: number): string {
  const shown = (value / BILLION).toLocaleString('en-US', { maximumSignificantDigits: 3 });
  return shown.replace('-', '−');
}
