import { MAIN_FAMILY } from '#src/providers/local/fonts/font-table.ts';
import { unpackFonts } from '#src/providers/local/fonts/unpack-fonts.ts';
import { mediaPackage } from '#src/providers/local/media/media-packages.ts';

/** A picture of premultiplied RGBA, eight bits each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

export interface Drawing {
  readonly pixels: (svg: string) => Pixels;
  readonly png: (svg: string) => Uint8Array;
}

/** Texts that will be drawn, and a folder for the fonts that they need beside the main one. */
interface Texts {
  readonly texts: readonly string[];
  readonly folder: string;
}

/**
 * Draws SVG with our own fonts and none of the machine's, so that a picture is the same everywhere. What the fonts lack
 * is a box.
 *
 * @param drawn null where no text is drawn, or only such as the main font has
 */
export async function openDrawing(drawn: Texts | null = null): Promise<Drawing> {
  const Resvg = await mediaPackage('@resvg/resvg-js');
  const more = drawn === null ? [] : await unpackFonts(drawn.texts, drawn.folder);
  const fontFiles = [...(await mediaPackage('dejavu-fonts-ttf')), ...more];
  const options = { font: { loadSystemFonts: false, fontFiles, defaultFontFamily: MAIN_FAMILY } };
  const render = (svg: string) => new Resvg(svg, options).render();
  return {
    pixels: (svg) => {
      const image = render(svg);
      return { width: image.width, height: image.height, rgba: image.pixels };
    },
    png: (svg) => render(svg).asPng(),
  };
}
