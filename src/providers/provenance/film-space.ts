/** Boxes that hold nothing but boxes, on the way to where a film says where its samples lie. */
const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
/** Their places count from the start of the file as well, and nothing here moves them. */
const unmovable = new Set(['moof', 'mfra', 'sidx', 'saio', 'iloc', 'ssix']);

interface Box {
  readonly type: string;
  /** Start and end of its content. */
  readonly from: number;
  readonly to: number;
}

/**
 * A copy of an MP4 film (ISO/IEC 14496-12) whose tables of chunks are moved on by so many bytes, for a box of that size
 * that is put behind the first one. Null where it is no film of the plain kind: one in fragments, one that does not
 * begin with `ftyp`, or one whose places would no longer fit 32 bits.
 */
export function shiftChunks(film: Uint8Array, by: number): Uint8Array<ArrayBuffer> | null {
  const copy = Uint8Array.from(film);
  const view = new DataView(copy.buffer);
  try {
    if (boxesOf(view, 0, copy.length)[0]?.type !== 'ftyp') return null;
    return shift(view, 0, copy.length, by) ? copy : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads the major brand of a film and its position; null where the film does not begin with `ftyp`. */
export function brandOf(film: Uint8Array): string | null {
  if (film.length < 16 || latin(film, 4) !== 'ftyp') return null;
  return latin(film, 8);
}

/** Writes another major brand into the first box. */
export function setBrand(film: Uint8Array, brand: string): void {
  film.set(Buffer.from(brand, 'latin1'), 8);
}

function shift(view: DataView, from: number, to: number, by: number): boolean {
  return boxesOf(view, from, to).every((box) => {
    if (unmovable.has(box.type)) return false;
    if (containers.has(box.type)) return shift(view, box.from, box.to, by);
    if (box.type === 'stco') return shiftTable(view, box, by, 4);
    if (box.type === 'co64') return shiftTable(view, box, by, 8);
    return true;
  });
}

/** A table of chunks: four bytes of version and flags, a count, and so many places. */
function shiftTable(view: DataView, { from }: Box, by: number, width: 4 | 8): boolean {
  const count = view.getUint32(from + 4);
  for (let at = from + 8; at < from + 8 + count * width; at += width) {
    if (width === 8) {
      view.setBigUint64(at, view.getBigUint64(at) + BigInt(by));
      continue;
    }
    const place = view.getUint32(at) + by;
    if (place > 0xffff_ffff) return false;
    view.setUint32(at, place);
  }
  return true;
}

/** @throws RangeError for boxes that end outside of what holds them. */
function boxesOf(view: DataView, from: number, to: number): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    const short = view.getUint32(at);
    const head = short === 1 ? 16 : 8;
    const size = short === 0 ? to - at : short === 1 ? Number(view.getBigUint64(at + 8)) : short;
    if (size < head || at + size > to) throw new RangeError(`a box of ${size} bytes at ${at} of ${to}`);
    boxes.push({ type: latin(new Uint8Array(view.buffer), at + 4), from: at + head, to: at + size });
    at += size;
  }
  return boxes;
}

const latin = (bytes: Uint8Array, at: number): string => Buffer.from(bytes.subarray(at, at + 4)).toString('latin1');
