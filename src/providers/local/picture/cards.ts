import { MAIN_FAMILY, partedFonts } from '#src/providers/local/fonts/font-table.ts';
import { withPlainEmoji } from '#src/providers/local/fonts/plain-emoji.ts';
import { textRuns } from '#src/providers/local/fonts/text-runs.ts';
import type { Size } from '#src/providers/local/media/frame-size.ts';
import { escapeXml } from '#src/providers/local/text/clean-text.ts';
import { fitLines, textWidth } from '#src/providers/local/text/wrap-text.ts';

/** Says on every picture what it is. */
const MARK = 'animatic preview';

/** A whole SVG file of such elements. */
export function svgOf({ width, height }: Size, elements: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${elements}</svg>`;
}

interface Text {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly bold?: boolean;
  readonly opacity?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
}

function textAt(text: string, { x, y, size, bold = false, opacity = 1, anchor = 'start' }: Text): string {
  return `<text x="${Math.round(x)}" y="${Math.round(y)}" font-family="${MAIN_FAMILY}" font-size="${size}"${bold ? ' font-weight="700"' : ''} fill="#fff" fill-opacity="${opacity}" text-anchor="${anchor}">${spansOf(text, size, bold)}</text>`;
}

/** A line that begins from the right keeps its signs at both ends on the side where they are written. */
function inItsDirection(text: string): string {
  const [first = ''] = /\p{L}/u.exec(text) ?? [];
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(first) ? `\u200F${text}\u200F` : text;
}

/**
 * A line in the fonts of its scripts; one that has only its thinnest weight gets an outline, twice as wide for bold.
 */
function spansOf(text: string, size: number, bold: boolean): string {
  return textRuns(withPlainEmoji(inItsDirection(text)))
    .map(({ text: run, script }) => {
      if (script === null) return escapeXml(run);
      const { family, outline } = partedFonts[script];
      const width = Math.round(outline * size * (bold ? 2 : 1) * 100) / 100;
      const stroke = outline === 0 ? '' : ` stroke="#fff" stroke-width="${width}"`;
      return `<tspan font-family="${family}"${stroke}>${escapeXml(run)}</tspan>`;
    })
    .join('');
}

/** Letters of so many hundredths of the short side, never smaller than can be drawn. */
function letters({ width, height }: Size, hundredths: number): number {
  return Math.max(4, Math.round((Math.min(width, height) * hundredths) / 100));
}

/** Draws the corner marks: what the film is, and which shot of how many. */
export function cornerMarks(frame: Size, position: string): string {
  const size = letters(frame, 2.6);
  const edge = size * 1.6;
  const back = `<rect width="${frame.width}" height="${Math.round(edge * 1.6)}" fill="#000" fill-opacity=".28"/>`;
  return [
    back,
    textAt(MARK, { x: edge, y: edge, size, opacity: 0.85 }),
    textAt(position, { x: frame.width - edge, y: edge, size, opacity: 0.85, anchor: 'end' }),
  ].join('');
}

/** A title, large, and what is below it: as large as lets all of it be seen. */
export function titleCard(frame: Size, title: string, below: string): string {
  const room = frame.width * 0.84;
  const { size, lines } = fitLines(title, { size: letters(frame, 8.5), room, mostLines: 4, bold: true });
  const { size: small, lines: under } =
    below === ''
      ? { size: 0, lines: [] }
      : fitLines(below, { size: letters(frame, 3.6), room, mostLines: 4, bold: false });
  const top = frame.height / 2 - ((lines.length - 1) * size * 1.2 + under.length * small * 1.4) / 2;
  const x = frame.width / 2;
  return [
    `<rect width="${frame.width}" height="${frame.height}" fill="#000" fill-opacity=".34"/>`,
    ...lines.map((line, i) => textAt(line, { x, y: top + i * size * 1.2, size, bold: true, anchor: 'middle' })),
    ...under.map((line, i) =>
      textAt(line, {
        x,
        y: top + (lines.length - 1) * size * 1.2 + small * (2 + i * 1.4),
        size: small,
        opacity: 0.88,
        anchor: 'middle',
      }),
    ),
  ].join('');
}

/** Letters of a caption, and how many of them a caption of two lines holds. */
export function captionLetters(frame: Size): { readonly size: number; readonly most: number } {
  const size = letters(frame, 4.6);
  return { size, most: Math.max(12, Math.floor((2 * frame.width * 0.84) / (size * 0.64))) };
}

/** A caption in its box, low in the frame. */
export function captionBox(frame: Size, text: string): string {
  const { size, lines } = fitLines(text, {
    size: captionLetters(frame).size,
    room: frame.width * 0.84,
    mostLines: 3,
    bold: false,
  });
  const widest = Math.max(0, ...lines.map((line) => textWidth(line)));
  const width = Math.min(frame.width * 0.96, (widest + 1.4) * size);
  const height = (lines.length * 1.3 + 0.6) * size;
  const top = frame.height * 0.94 - height;
  const box = `<rect x="${Math.round((frame.width - width) / 2)}" y="${Math.round(top)}" width="${Math.round(width)}" height="${Math.round(height)}" rx="${Math.round(size * 0.3)}" fill="#000" fill-opacity=".62"/>`;
  const drawn = lines.map((line, i) =>
    textAt(line, { x: frame.width / 2, y: top + size * (1.25 + i * 1.3), size, anchor: 'middle' }),
  );
  return box + drawn.join('');
}
