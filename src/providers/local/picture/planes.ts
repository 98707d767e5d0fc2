import type { Size } from '#src/providers/local/media/frame-size.ts';
import type { Pixels } from './draw.ts';

/**
 * A picture in 4:2:0 colour of BT.709, limited range: luma of every pixel, colour of every fourth. Both sides are even.
 */
export interface Planes extends Size {
  /** Luma, then both colours, as encoders take them. */
  readonly bytes: Uint8Array;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
}

/** Overlay of a picture: only the rows with content, premultiplied. */
export interface Layer extends Planes {
  /** Row of the picture that its first row lies on; even. */
  readonly top: number;
  readonly alpha: Uint8Array;
  /** Alpha of every fourth pixel. */
  readonly colourAlpha: Uint8Array;
}

export function emptyPlanes({ width, height }: Size): Planes {
  const luma = width * height;
  const bytes = new Uint8Array((luma * 3) / 2);
  return {
    width,
    height,
    bytes,
    y: bytes.subarray(0, luma),
    u: bytes.subarray(luma, (luma * 5) / 4),
    v: bytes.subarray((luma * 5) / 4),
  };
}

/** A picture without transparent parts. */
export function planesOf(pixels: Pixels): Planes {
  const planes = emptyPlanes(pixels);
  convert(pixels, planes);
  return planes;
}

/** A picture that is transparent where nothing was drawn. */
export function layerOf(pixels: Pixels): Layer {
  const { top, bottom } = inkedRows(pixels);
  const { width } = pixels;
  const size = { width, height: bottom - top };
  const rgba = pixels.rgba.subarray(top * width * 4, bottom * width * 4);
  const layer = {
    ...emptyPlanes(size),
    top,
    alpha: new Uint8Array(width * size.height),
    colourAlpha: new Uint8Array((width * size.height) / 4),
  };
  convert({ ...size, rgba }, layer, layer);
  return layer;
}

/** Lays a layer over a picture of the same width, in place. */
export function blend(under: Planes, layer: Layer): void {
  const { width, top, alpha, colourAlpha } = layer;
  blendPlane(under.y, layer.y, alpha, top * width);
  const colourTop = (top * width) / 4;
  blendPlane(under.u, layer.u, colourAlpha, colourTop);
  blendPlane(under.v, layer.v, colourAlpha, colourTop);
}

/** Mixes `other` into a picture, in place: at 1 nothing of the picture is left. */
export function dissolve(picture: Planes, other: Planes, share: number): void {
  const weight = Math.round(share * 256);
  const { bytes } = picture;
  const into = other.bytes;
  for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i]! * (256 - weight) + into[i]! * weight) >> 8;
}

/** Takes a picture to black, in place: at 0 it is black. */
export function dim(picture: Planes, level: number): void {
  const weight = Math.round(level * 256);
  const { y, u, v } = picture;
  for (let i = 0; i < y.length; i++) y[i] = 16 + (((y[i]! - 16) * weight) >> 8);
  for (const plane of [u, v]) {
    for (let i = 0; i < plane.length; i++) plane[i] = 128 + (((plane[i]! - 128) * weight) >> 8);
  }
}

/**
 * Fills a box with a grey of luma 16 (black) to 235 (white), in place; what lies outside of the picture is left out.
 */
export function fillBox(picture: Planes, box: { readonly x: number; readonly y: number } & Size, luma: number): void {
  const [left, right] = [clamp(box.x, picture.width), clamp(box.x + box.width, picture.width)];
  for (let y = clamp(box.y, picture.height); y < clamp(box.y + box.height, picture.height); y++) {
    picture.y.fill(luma, y * picture.width + left, y * picture.width + right);
    if (y % 2 === 1) continue;
    const row = (y / 2) * (picture.width / 2);
    for (const plane of [picture.u, picture.v]) plane.fill(128, row + (left >> 1), row + (right >> 1));
  }
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, Math.round(value)));
}

function blendPlane(under: Uint8Array, over: Uint8Array, alpha: Uint8Array, offset: number): void {
  for (let i = 0; i < over.length; i++) {
    const a = alpha[i]!;
    if (a === 0) continue;
    under[offset + i] = Math.min(255, over[i]! + (under[offset + i]! * (255 - a) + 127) / 255);
  }
}

/** Even rows around all that was drawn; two where nothing was. */
function inkedRows({ width, height, rgba }: Pixels): { top: number; bottom: number } {
  const words = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  const hasInk = (row: number) => words.subarray(row * width, (row + 1) * width).some((word) => word !== 0);
  let top = 0;
  while (top < height - 2 && !hasInk(top) && !hasInk(top + 1)) top += 2;
  let bottom = height;
  while (bottom > top + 2 && !hasInk(bottom - 1) && !hasInk(bottom - 2)) bottom -= 2;
  return { top, bottom };
}

/** ITU-R BT.709, 8 bits, in 16-bit fixed point. Transparent parts keep the offsets only as far as they are there. */
function convert({ width, height, rgba }: Pixels, to: Planes, alphas?: Pick<Layer, 'alpha' | 'colourAlpha'>): void {
  for (let i = 0; i < width * height; i++) {
    const [r, g, b, a] = [rgba[i * 4]!, rgba[i * 4 + 1]!, rgba[i * 4 + 2]!, rgba[i * 4 + 3]!];
    to.y[i] = (11_966 * r + 40_254 * g + 4_064 * b + 4_112 * a + 32_768) >> 16;
    if (alphas) alphas.alpha[i] = a;
  }
  const half = width / 2;
  for (let y = 0; y < height / 2; y++) {
    for (let x = 0; x < half; x++) {
      const at = (y * 2 * width + x * 2) * 4;
      const sum = (part: number) =>
        rgba[at + part]! + rgba[at + 4 + part]! + rgba[at + width * 4 + part]! + rgba[at + width * 4 + 4 + part]!;
      const [r, g, b, a] = [sum(0), sum(1), sum(2), sum(3)];
      const o = y * half + x;
      to.u[o] = (-6_596 * r - 22_189 * g + 28_784 * b + 32_896 * a + 131_072) >> 18;
      to.v[o] = (28_784 * r - 26_145 * g - 2_639 * b + 32_896 * a + 131_072) >> 18;
      if (alphas) alphas.colourAlpha[o] = a >> 2;
    }
  }
}
