import { essviTotalVariance } from '#src/analytics/domain/surface/essvi.ts';
import { essviAt, type TimedSlice } from '#src/analytics/domain/surface/essvi-between.ts';
import type { SurfaceAnswer } from '#src/analytics/domain/surface/surface-schema.ts';
import { type Origin, originText } from './profile-picture.ts';
import { element, line, type Point, page, text, through, ticks } from './svg.ts';

const WIDTH = 960;
const HEIGHT = 660;
/** Where the corner farthest away stands on the floor, and how long the edges are, pixels. */
const BACK: Point = [WIDTH / 2, 330];
const EDGE = 400;
const TALL = 210;
/** Of the floor's edges against the horizontal: flatter than isometric, so that the floor fits the page. */
const LEAN = { x: Math.cos(Math.PI / 6), y: 0.31 };

const K = { from: -0.25, to: 0.15, steps: 40 };
const DAYS = { from: 5, to: 365, steps: 32, shown: [7, 30, 90, 180, 365] };

/** Colours from low to high: dark blue to yellow, told apart in grey and by the colour-blind too. */
const ramp: readonly (readonly [number, number, number])[] = [
  [59, 66, 135],
  [44, 113, 142],
  [33, 144, 140],
  [63, 187, 114],
  [170, 220, 50],
  [253, 231, 37],
];

/** The implied volatility of a symbol over log-moneyness and time to expiry, seen from above; SVG. */
export function surfacePicture(origin: Origin, data: SurfaceAnswer): string {
  const slices = data.expiries.flatMap(({ years, essvi }): TimedSlice[] => (essvi ? [{ years, ...essvi }] : []));
  const days = (v: number) => (Math.sqrt(DAYS.from) + v * (Math.sqrt(DAYS.to) - Math.sqrt(DAYS.from))) ** 2;
  const volatility = (u: number, v: number): number => {
    const years = days(v) / 365;
    return Math.sqrt(essviTotalVariance(essviAt(slices, years), K.from + u * (K.to - K.from)) / years);
  };
  const heights = Array.from({ length: DAYS.steps + 1 }, (_, j) =>
    Array.from({ length: K.steps + 1 }, (_one, i) => volatility(i / K.steps, j / DAYS.steps)),
  );
  const all = heights.flat();
  const high = Math.max(...all);
  const low = Math.min(...all) * 0.8;
  const rise = (value: number) => (value - low) / (high - low);
  const at = (u: number, v: number, value = low) => project(u, v, rise(value));
  const { certificate } = data;
  const levels = ticks(low, high, 6);
  const cells = Array.from({ length: DAYS.steps * K.steps }, (_, n) => [n % K.steps, Math.floor(n / K.steps)] as const);
  return page({
    width: WIDTH,
    height: HEIGHT,
    title: `${origin.symbol} implied volatility surface`,
    subtitle: `${originText({ ...origin, generation: '' })
      .split(' · ')
      .slice(0, 2)
      .join(
        ' · ',
      )} · eSSVI, free of arbitrage: least g ${certificate.least_g.toPrecision(2)}, least calendar gap ${certificate.least_calendar_gap?.toExponential(1) ?? 'none'}`,
    content: [
      ...levels.map((value) => wallLine([at(0, 1, value), at(0, 0, value), at(1, 0, value)])),
      ...[at(0, 1), at(0, 0), at(1, 0)].map((foot) => line(foot, [foot[0], foot[1] - TALL], { class: 'axis' })),
      ...floor(days, at),
      // the farthest first, so that what is nearer covers it
      ...cells
        .toSorted((one, other) => one[0] / K.steps + one[1] / DAYS.steps - other[0] / K.steps - other[1] / DAYS.steps)
        .map(([i, j]) => {
          const corner = (di: number, dj: number) =>
            at((i + di) / K.steps, (j + dj) / DAYS.steps, heights[j + dj]?.[i + di] ?? low);
          const fill = colourOf((rise(heights[j]?.[i] ?? low) - 0.05) / 0.95);
          const d = `${through([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)])}Z`;
          return element('path', { d, fill, stroke: '#0b1420', 'stroke-opacity': 0.45, 'stroke-width': 0.5 });
        }),
      ...levels.map((value) => {
        const [x, y] = at(0, 1, value);
        return text(`${Math.round(value * 1_000) / 10} %`, {
          class: 'soft',
          x: x - 10,
          y: y + 4,
          'text-anchor': 'end',
        });
      }),
      ...axisNames(at),
    ],
  });
}

/** From the floor's two coordinates and the height, each 0 to 1, to pixels. */
function project(u: number, v: number, height: number): Point {
  return [BACK[0] + (u - v) * EDGE * LEAN.x, BACK[1] + (u + v) * EDGE * LEAN.y - height * TALL];
}

type At = (u: number, v: number) => Point;

/** Lines and numbers of the two axes on the floor. */
function floor(days: (v: number) => number, at: At): string[] {
  const place = (day: number) => (Math.sqrt(day) - Math.sqrt(days(0))) / (Math.sqrt(days(1)) - Math.sqrt(days(0)));
  return [
    ...ticks(K.from, K.to, 8).flatMap((k) => {
      const u = (k - K.from) / (K.to - K.from);
      const [x, y] = at(u, 1);
      const label = k.toFixed(2).replace('-', '−');
      return [
        line(at(u, 0), at(u, 1), { class: 'grid' }),
        text(label, { class: 'soft', x: x - 6, y: y + 20, 'text-anchor': 'end' }),
      ];
    }),
    ...DAYS.shown.flatMap((day) => {
      const [x, y] = at(1, place(day));
      return [
        line(at(0, place(day)), at(1, place(day)), { class: 'grid' }),
        text(`${day} d`, { class: 'soft', x: x + 8, y: y + 18 }),
      ];
    }),
    element('path', { d: through([at(0, 1), at(1, 1), at(1, 0)]), fill: 'none', class: 'axis' }),
  ];
}

function axisNames(at: At): string[] {
  const [left, bottom] = at(0.42, 1);
  const [right, low] = at(1, 0.42);
  const [x, y] = at(0, 1);
  return [
    text('Log-moneyness ln(K/F)', { class: 'ink', x: left - 40, y: bottom + 52, 'text-anchor': 'end' }),
    text('Days to expiry, square-root scale', { class: 'ink', x: right + 46, y: low + 46 }),
    text('Implied volatility, per year', { class: 'ink', x: x - 96, y: y - TALL - 50 }),
  ];
}

function wallLine(points: readonly Point[]): string {
  return element('path', { d: through(points), fill: 'none', class: 'grid' });
}

function colourOf(share: number): string {
  const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const below = Math.min(Math.floor(place), ramp.length - 2);
  const mix = ramp[below]?.map((from, c) => from + (place - below) * ((ramp[below + 1]?.[c] ?? from) - from)) ?? [];
  return `rgb(${mix.map(Math.round).join(' ')})`.replaceAll(' ', ',');
}
