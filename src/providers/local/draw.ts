import { mediaPackage } from './media-packages.ts';

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

/**
 * Draws SVG with our own fonts and none of the machine's, so that a picture is the same everywhere. What the fonts lack
 * is a box.
 */
export async function openDrawing(): Promise<Drawing> {
  const Resvg = await mediaPackage('@resvg/resvg-js');
  const fontFiles = [...(await mediaPackage('dejavu-fonts-ttf'))];
  const options = { font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'DejaVu Sans' } };
  const render = (svg: string) => new Resvg(svg, options).render();
  return {
    pixels: (svg) => {
      const image = render(svg);
      return { width: image.width, height: image.height, rgba: image.pixels };
    },
    png: (svg) => render(svg).asPng(),
  };
}
