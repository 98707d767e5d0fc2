import type { Size } from '#src/providers/local/media/frame-size.ts';
import { seededRandom } from '#src/providers/local/media/seeded-random.ts';

type Random = () => number;
interface Scene extends Size {
  readonly random: Random;
  /** Degrees. */
  readonly hue: number;
}

const scenes: readonly ((scene: Scene) => string)[] = [ridges, skyline, orbits];

/** SVG elements that fill a frame: a landscape, a town or a sky that follows from a text, in its colours. */
export function artOf(seed: string, size: Size): string {
  const random = seededRandom(`art ${seed}`);
  const scene = { ...size, random, hue: Math.floor(random() * 360) };
  const draw = scenes[Math.floor(random() * scenes.length)] ?? ridges;
  return `${sky(scene)}${draw(scene)}`;
}

function sky({ width, height, hue, random }: Scene): string {
  const radius = round(Math.min(width, height) * (0.09 + random() * 0.08));
  const [x, y] = [round(width * (0.2 + random() * 0.6)), round(height * (0.18 + random() * 0.25))];
  const other = (hue + 30 + Math.floor(random() * 60)) % 360;
  return `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue},48%,20%)"/><stop offset=".62" stop-color="hsl(${other},52%,46%)"/><stop offset="1" stop-color="hsl(${other},62%,66%)"/></linearGradient><radialGradient id="glow"><stop stop-color="#fff" stop-opacity=".55"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><rect width="${width}" height="${height}" fill="url(#sky)"/><circle cx="${x}" cy="${y}" r="${radius * 3}" fill="url(#glow)"/><circle cx="${x}" cy="${y}" r="${radius}" fill="hsl(${other},80%,88%)"/>`;
}

/** Hills behind hills. */
function ridges({ width, height, hue, random }: Scene): string {
  return [0, 1, 2, 3]
    .map((depth) => {
      const base = height * (0.5 + depth * 0.13);
      const swing = height * (0.13 - depth * 0.015);
      const points = 9;
      const heights = Array.from({ length: points + 1 }, () => round(base - random() * swing));
      const step = width / points;
      const line = heights
        .slice(1)
        .map((y, i) => `S${round((i + 0.6) * step)} ${y} ${round((i + 1) * step)} ${y}`)
        .join('');
      return `<path d="M0 ${heights[0]}${line}V${height}H0Z" fill="hsl(${hue},${42 - depth * 5}%,${40 - depth * 9}%)"/>`;
    })
    .join('');
}

/** Houses with lit windows. */
function skyline({ width, height, hue, random }: Scene): string {
  return [0, 1]
    .map((depth) => {
      const count = 9 + depth * 2;
      const step = width / count;
      return Array.from({ length: count }, (_, index) => {
        const top = round(height * (0.42 + depth * 0.16 + random() * 0.22));
        const left = round(index * step);
        const wall = `<rect x="${left}" y="${top}" width="${round(step * 0.94)}" height="${height - top}" fill="hsl(${hue},30%,${26 - depth * 12}%)"/>`;
        const lit = Array.from({ length: 8 }, () => {
          const x = round(left + step * (0.12 + 0.19 * Math.floor(random() * 4)));
          const y = round(top + step * (0.15 + 0.24 * Math.floor(random() * 6)));
          return `<rect x="${x}" y="${y}" width="${round(step * 0.1)}" height="${round(step * 0.13)}" fill="hsl(45,90%,72%)" fill-opacity="${round(0.35 + random() * 0.6)}"/>`;
        });
        return wall + lit.join('');
      }).join('');
    })
    .join('');
}

/** Rings and bodies on them. */
function orbits({ width, height, hue, random }: Scene): string {
  const [x, y] = [round(width * (0.35 + random() * 0.3)), round(height * (0.45 + random() * 0.2))];
  return Array.from({ length: 7 }, (_, index) => {
    const radius = round(Math.min(width, height) * (0.12 + index * 0.09));
    const angle = random() * 2 * Math.PI;
    const body = round(Math.min(width, height) * (0.012 + random() * 0.03));
    const [left, top] = [round(x + radius * Math.cos(angle)), round(y + radius * Math.sin(angle) * 0.6)];
    return `<ellipse cx="${x}" cy="${y}" rx="${radius}" ry="${round(radius * 0.6)}" fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="${round(Math.min(width, height) / 400)}"/><circle cx="${left}" cy="${top}" r="${body}" fill="hsl(${(hue + index * 24) % 360},75%,${58 + (index % 3) * 8}%)"/>`;
  }).join('');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
