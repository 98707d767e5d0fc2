import { crc32 } from 'node:zlib';
import { readFilm } from './mp4-boxes.ts';

/** Facts of a file, read from its own bytes. */
export interface MediaFile {
  readonly kind: 'image' | 'video' | 'audio';
  readonly mediaType: string;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Seconds. */
  readonly duration?: number;
}

type Reader = (bytes: Buffer) => MediaFile | null;

/** First bytes of each format, and its reader; a reader answers null for a file that is not whole. */
const formats: readonly (readonly [begins: RegExp | string, read: Reader])[] = [
  ['\x89PNG\r\n\x1a\n', readPng],
  [/^\xff\xd8\xff/, readJpeg],
  [/^GIF8[79]a/, readGif],
  [/^RIFF[^]{4}WEBP/, readWebp],
  [/^RIFF[^]{4}WAVE/, readWav],
  [/^[^]{4}ftyp/, readIso],
  ['\x1a\x45\xdf\xa3', () => ({ kind: 'video', mediaType: 'video/webm' })],
  [/^OggS/, () => ({ kind: 'audio', mediaType: 'audio/ogg' })],
  [/^fLaC/, () => ({ kind: 'audio', mediaType: 'audio/flac' })],
  [/^\xff[\xf0\xf1\xf8\xf9]/, () => ({ kind: 'audio', mediaType: 'audio/aac' })],
  [/^(ID3|\xff[\xe2-\xff])/, () => ({ kind: 'audio', mediaType: 'audio/mpeg' })],
];

/**
 * Identifies a file by its bytes and not by the name that its sender gives.
 *
 * @returns a sentence's end that says what is wrong, for a file of no known format or one that is not whole:
 *   checksums (PNG), the end marks of JPEG and GIF, and the lengths that RIFF and ISO files give. WebM, Ogg, FLAC, AAC
 *   and MP3 have no such mark.
 */
export function readMediaFile(input: Uint8Array): MediaFile | string {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const head = bytes.subarray(0, 16).toString('latin1');
  const format = formats.find(([begins]) => (typeof begins === 'string' ? head.startsWith(begins) : begins.test(head)));
  if (!format) return 'bytes of no known format of pictures, film or sound';
  return format[1](bytes) ?? 'a file that is damaged or not whole';
}

/**
 * The size that the beginning of a picture gives, in pixels: a PNG, a JPEG or a WebP that need not be whole. Null where
 * it is none of these, or says its size further on.
 */
export function peekPicture(input: Uint8Array): { readonly width: number; readonly height: number } | null {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const head = bytes.toString('latin1', 0, 16);
  if (head.startsWith('\x89PNG') && bytes.length >= 24)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (head.startsWith('\xff\xd8\xff')) return jpegSize(bytes);
  if (!/^RIFF[^]{4}WEBP/.test(head) || bytes.length < 30) return null;
  const [width, height] = webpSize(bytes) ?? [];
  return width && height ? { width, height } : null;
}

function readPng(bytes: Buffer): MediaFile | null {
  let at = 8;
  let hasData = false;
  while (at + 12 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    const end = at + 12 + size;
    if (end > bytes.length) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    hasData ||= type === 'IDAT';
    if (type !== 'IEND') {
      at = end;
      continue;
    }
    if (!hasData || end !== bytes.length) return null;
    return { kind: 'image', mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return null;
}

function readJpeg(bytes: Buffer): MediaFile | null {
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return null;
  const size = jpegSize(bytes);
  return size && { kind: 'image', mediaType: 'image/jpeg', ...size };
}

function jpegSize(bytes: Buffer): { readonly width: number; readonly height: number } | null {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const mark = bytes[at + 1] ?? 0;
    // a frame's header, as against tables (C4), extensions (C8) and conditioning (CC)
    if (mark < 0xc0 || mark > 0xcf || [0xc4, 0xc8, 0xcc].includes(mark)) continue;
    return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

function readGif(bytes: Buffer): MediaFile | null {
  if (bytes.length < 14 || bytes.at(-1) !== 0x3b) return null;
  return { kind: 'image', mediaType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(bytes: Buffer): MediaFile | null {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  const size = webpSize(bytes);
  return size && { kind: 'image', mediaType: 'image/webp', width: size[0], height: size[1] };
}

/** Reads the size of the canvas, where there is one, else of the single frame. */
function webpSize(bytes: Buffer): readonly [width: number, height: number] | null {
  const type = bytes.toString('latin1', 12, 16);
  if (type === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (type === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (type !== 'VP8L' || bytes[20] !== 0x2f) return null;
  const packed = bytes.readUInt32LE(21);
  return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1];
}

function readWav(bytes: Buffer): MediaFile | null {
  const total = bytes.readUInt32LE(4);
  // one that was streamed as it was made does not know its length
  if (total !== 0xffffffff && total + 8 > bytes.length) return null;
  for (let at = 12, rate = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    const type = bytes.toString('latin1', at, at + 4);
    if (type === 'fmt ' && at + 20 <= bytes.length) rate = bytes.readUInt32LE(at + 16);
    if (type === 'data') {
      const seconds = rate === 0 ? 0 : Math.min(size, bytes.length - at - 8) / rate;
      return seconds > 0 ? { kind: 'audio', mediaType: 'audio/wav', duration: seconds } : null;
    }
    at += 8 + size + (size % 2);
  }
  return null;
}

function readIso(bytes: Buffer): MediaFile | null {
  const film = readFilm(bytes);
  if (!film) return null;
  const { brand, duration, width, height } = film;
  if (brand.startsWith('avif') || brand.startsWith('avis')) return { kind: 'image', mediaType: 'image/avif' };
  const length = duration > 0 ? { duration } : {};
  if (brand.startsWith('M4A')) return { kind: 'audio', mediaType: 'audio/mp4', ...length };
  const size = width && height ? { width, height } : {};
  return { kind: 'video', mediaType: brand.startsWith('qt') ? 'video/quicktime' : 'video/mp4', ...length, ...size };
}
