import { type Aspect, aspects } from '#queues/providers.ts';

/** Pattern of the size of a picture or film in a body. */
export const sizePattern = '^(auto|[1-9]\\d{1,3}x[1-9]\\d{1,3})$';

const least = 64;
const most = 4_320;

/**
 * A size in the words of providers: the nearest shape that all know (by the ratio of the two ratios), and the short
 * side.
 *
 * @param size `WIDTHxHEIGHT` in pixels; `auto` or none says nothing
 */
export function shapeOf(size: string | undefined): { readonly aspect?: Aspect; readonly resolution?: number } {
  const [width, height] = (size ?? '').split('x').map(Number);
  if (!width || !height) return {};
  const distance = (aspect: Aspect): number => {
    const [across = 1, down = 1] = aspect.split(':').map(Number);
    return Math.abs(Math.log((width * down) / (height * across)));
  };
  const [aspect] = aspects.toSorted((left, right) => distance(left) - distance(right));
  const resolution = Math.min(most, Math.max(least, Math.min(width, height)));
  return { ...(aspect && { aspect }), resolution };
}
