import type { Aspect } from '#queues/providers.ts';

/** Pixels; both even, as 4:2:0 colour needs. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const shapes: Readonly<Record<Aspect, readonly [width: number, height: number]>> = {
  '16:9': [16, 9],
  '9:16': [9, 16],
  '1:1': [1, 1],
  '4:5': [4, 5],
};

/** The picture of this shape whose short side has so many pixels: 720 is 1280 × 720 at 16:9, and 720 × 900 at 4:5. */
export function frameSize(aspect: Aspect, shortSide: number): Size {
  const [width, height] = shapes[aspect];
  const unit = shortSide / Math.min(width, height);
  return { width: even(width * unit), height: even(height * unit) };
}

/** The next even number of pixels, at least two. */
export function even(pixels: number): number {
  return Math.max(2, Math.round(pixels / 2) * 2);
}
