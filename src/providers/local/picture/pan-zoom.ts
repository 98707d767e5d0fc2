import type { Size } from '#src/providers/local/media/frame-size.ts';
import { seededRandom } from '#src/providers/local/media/seeded-random.ts';
import { emptyPlanes, type Planes } from './planes.ts';

/** Factor by which a picture is drawn larger than the frame, so that a camera can move over it. */
export const OVERSCAN = 1.2;

/** A rectangle of a picture. */
interface View extends Size {
  readonly x: number;
  readonly y: number;
}

/** Computes the view of a camera after a share of its time (0 to 1). */
export type Camera = (share: number) => View;

/**
 * A slow move over a picture, in or out and to one side, that follows from a text. It always has the shape of `frame`
 * and never leaves the picture.
 */
export function openCamera(seed: string, picture: Size, frame: Size): Camera {
  const random = seededRandom(`camera ${seed}`);
  const whole = Math.min(picture.width / frame.width, picture.height / frame.height);
  const [far, near] = [whole, whole / OVERSCAN];
  const [begin, end] = random() < 0.6 ? [far, near] : [near, far];
  const [fromX, toX, fromY, toY] = [random(), random(), random(), random()];
  return (share) => {
    const zoom = begin + (end - begin) * share;
    const [width, height] = [frame.width * zoom, frame.height * zoom];
    return {
      width,
      height,
      x: (picture.width - width) * (fromX + (toX - fromX) * share),
      y: (picture.height - height) * (fromY + (toY - fromY) * share),
    };
  };
}

/** Renders the camera's view, between the pixels where it is (bilinear), so that a slow move does not tremble. */
export function takeView(picture: Planes, view: View, frame: Planes = emptyPlanes(view)): Planes {
  sample(picture.y, picture, view, frame.y, frame);
  const half = ({ width, height }: Size) => ({ width: width / 2, height: height / 2 });
  const halfView = { ...half(view), x: view.x / 2, y: view.y / 2 };
  sample(picture.u, half(picture), halfView, frame.u, half(frame));
  sample(picture.v, half(picture), halfView, frame.v, half(frame));
  return frame;
}

function sample(from: Uint8Array, size: Size, view: View, to: Uint8Array, frame: Size): void {
  const columns = axis(view.x, view.width, frame.width, size.width);
  const rows = axis(view.y, view.height, frame.height, size.height);
  // two rows of the picture, already as wide as the frame: each is stretched once for the lines of the frame beside it
  let [above, below] = [new Uint16Array(frame.width), new Uint16Array(frame.width)];
  let [aboveRow, belowRow] = [-1, -1];
  let out = 0;
  for (let y = 0; y < frame.height; y++) {
    const upper = rows.index[y]!;
    const lower = Math.min(upper + 1, size.height - 1);
    if (upper === belowRow) {
      [above, below] = [below, above];
      [aboveRow, belowRow] = [belowRow, aboveRow];
    }
    if (upper !== aboveRow) stretch(from, upper * size.width, size.width, columns, above);
    if (lower !== belowRow) stretch(from, lower * size.width, size.width, columns, below);
    [aboveRow, belowRow] = [upper, lower];
    const down = rows.weight[y]!;
    for (let x = 0; x < above.length; x++) to[out++] = (above[x]! * (256 - down) + below[x]! * down + 32_768) >> 16;
  }
}

/** A row of the picture at the frame's columns, in 256ths. */
function stretch(from: Uint8Array, start: number, width: number, { index, weight }: Axis, to: Uint16Array): void {
  for (let x = 0; x < to.length; x++) {
    const left = index[x]!;
    const right = left + 1 < width ? left + 1 : left;
    to[x] = from[start + left]! * (256 - weight[x]!) + from[start + right]! * weight[x]!;
  }
}

interface Axis {
  readonly index: Int32Array;
  readonly weight: Int32Array;
}

/** The pixel before each sample, and the share of the next one in 256ths. */
function axis(start: number, length: number, count: number, size: number): Axis {
  const index = new Int32Array(count);
  const weight = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const at = Math.max(0, Math.min(size - 1, start + ((i + 0.5) * length) / count - 0.5));
    index[i] = Math.floor(at);
    weight[i] = Math.round((at - Math.floor(at)) * 256);
  }
  return { index, weight };
}
