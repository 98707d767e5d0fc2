/** A box of an ISO media file: its type and what lies in it. */
interface Box {
  readonly type: string;
  readonly content: DataView;
}

export interface Film {
  readonly brand: string;
  /** Seconds; 0 where the header does not say. */
  readonly duration: number;
  /** Pixels of the first track that has any. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * Reads the facts of an ISO media file (MP4, QuickTime, M4A, AVIF). Null where its boxes do not end where the file
 * does, as in one that broke off, or its contents are not there.
 *
 * @see ISO/IEC 14496-12, sections 4.2 and 8
 */
export function readFilm(bytes: Uint8Array): Film | null {
  const boxes = boxesOf(viewOf(bytes));
  const kind = boxes?.find(({ type }) => type === 'ftyp');
  if (!boxes || !kind || kind.content.byteLength < 4) return null;
  const brand = textAt(kind.content, 0);
  if (!boxes.some(({ type }) => type === 'mdat')) return null;
  const header = boxes.find(({ type }) => type === 'moov');
  // pictures have their own header in its place
  if (!header) return boxes.some(({ type }) => type === 'meta') ? { brand, duration: 0 } : null;
  const inner = boxesOf(header.content);
  if (!inner) return null;
  const tracks = inner.filter(({ type }) => type === 'trak').map(({ content }) => sizeOf(content));
  const size = tracks.find((one) => one !== null);
  return { brand, duration: durationOf(inner), ...size };
}

function boxesOf(view: DataView): readonly Box[] | null {
  const boxes: Box[] = [];
  let at = 0;
  while (at + 8 <= view.byteLength) {
    const short = view.getUint32(at);
    const isLong = short === 1 && at + 16 <= view.byteLength;
    const head = isLong ? 16 : 8;
    // 0 means: up to the end of the file
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short || view.byteLength - at;
    if (size < head || at + size > view.byteLength) return null;
    boxes.push({ type: textAt(view, at + 4), content: partOf(view, at + head, size - head) });
    at += size;
  }
  return at === view.byteLength ? boxes : null;
}

function durationOf(boxes: readonly Box[]): number {
  const header = boxes.find(({ type }) => type === 'mvhd')?.content;
  if (!header || header.byteLength < 20) return 0;
  const isLong = header.getUint8(0) === 1 && header.byteLength >= 32;
  const scale = header.getUint32(isLong ? 20 : 12);
  const length = isLong ? Number(header.getBigUint64(24)) : header.getUint32(16);
  return scale === 0 ? 0 : length / scale;
}

/** Width and height stand last in a track's header, in 65,536ths of a pixel. */
function sizeOf(track: DataView): { width: number; height: number } | null {
  const header = boxesOf(track)?.find(({ type }) => type === 'tkhd')?.content;
  if (!header || header.byteLength < 8) return null;
  const [width, height] = [8, 4].map((back) => Math.round(header.getUint32(header.byteLength - back) / 65_536));
  return width && height ? { width, height } : null;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
const partOf = ({ buffer, byteOffset }: DataView, at: number, size: number): DataView =>
  new DataView(buffer, byteOffset + at, size);
const textAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
