type Attributes = Readonly<Record<string, string | number>>;

/** An SVG element as text; numbers are rounded to a hundredth of a pixel. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => {
    const shown = typeof value === 'number' ? String(Math.round(value * 100) / 100) : escape(value);
    return ` ${key}="${shown}"`;
  });
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`;
}

export function text(content: string, attributes: Attributes): string {
  return element('text', attributes, escape(content));
}

export function line(from: Point, to: Point, attributes: Attributes): string {
  return element('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1], ...attributes });
}

/** Pixels from the left and from the top. */
export type Point = readonly [x: number, y: number];

/** The `d` of a path through points. */
export function through(points: readonly Point[]): string {
  return points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/** Round numbers from `from` to `to`, about `count` of them. */
export function ticks(from: number, to: number, count: number): number[] {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((one) => one * power >= rough) ?? 10);
  const first = Math.ceil(from / step - 1e-9);
  return Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

export interface Page {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly subtitle: string;
  readonly content: readonly string[];
}

/** Colours by what they mean: in light, and in dark. */
const colours: Readonly<Record<string, readonly [property: string, light: string, dark: string]>> = {
  page: ['fill', '#ffffff', '#0f1620'],
  ink: ['fill', '#17202c', '#e8edf3'],
  soft: ['fill', '#566273', '#9fb0c3'],
  grid: ['stroke', '#dfe4ea', '#263241'],
  axis: ['stroke', '#8592a3', '#5d6d80'],
  curve: ['stroke', '#17202c', '#e8edf3'],
  long: ['fill', '#0e8f6e', '#2fc79b'],
  short: ['fill', '#c8442f', '#f0745d'],
  spot: ['stroke', '#17202c', '#e8edf3'],
  flip: ['stroke', '#8a3ffc', '#b794ff'],
  wall: ['stroke', '#1769c2', '#6cb2ff'],
};

/** A whole picture on a ground of its own, so that it can be read on any page, light or dark. */
export function page({ width, height, title, subtitle, content }: Page): string {
  const rules = (scheme: 1 | 2) =>
    Object.entries(colours)
      .map(([name, row]) => `.${name}{${row[0]}:${row[scheme]}}`)
      .join('');
  const style = `text{font:13px system-ui,"Segoe UI","DejaVu Sans",sans-serif}${rules(1)}@media(prefers-color-scheme:dark){${rules(2)}}`;
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': `${title}. ${subtitle}`,
  };
  return `${element(
    'svg',
    root,
    [
      element('style', {}, style),
      element('rect', { class: 'page', width, height, rx: 8 }),
      text(title, { class: 'ink', x: 28, y: 38, style: 'font-size:20px;font-weight:600' }),
      text(subtitle, { class: 'soft', x: 28, y: 60 }),
      ...content,
    ].join('\n'),
  )}\n`;
}

function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
