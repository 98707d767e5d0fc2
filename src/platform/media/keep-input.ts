import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '#src/lib/errors.ts';
import type { InputKind } from '#src/platform/edge/intake.ts';
import { type Asset, keepAsset } from '#src/providers/assets/assets.ts';
import { type MediaFile, peekPicture, readMediaFile } from '#src/providers/http/media-file.ts';
import type { Context } from '#src/system/context.ts';

/** Most pixels of an input picture: decoders take four bytes for each, whatever the file's own length is. */
export const MOST_PIXELS = 40_000_000;
/** Most pixels of a side: what draws cannot go beyond. */
const MOST_SIDE = 32_767;
/** Bytes of a file that are looked at before the rest is read. */
export const BEGINNING = 65_536;

const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

/**
 * Keeps bytes that a client gave as an asset of theirs, once their header says that they may be decoded at all. The
 * asset belongs to no job; what made it is an id of its own.
 *
 * @param field as the client names it, for the sentence of an error
 * @throws AppError `invalid_request` for what is no whole file of the kind; what keeping it throws.
 */
export async function keepInput(
  context: Context,
  owner: string,
  bytes: Uint8Array,
  { kind, field }: Wanted,
): Promise<Asset> {
  const file = readInput(bytes, { kind, field });
  return await keepAsset(context, {
    owner,
    job: randomUUIDv7(),
    name: 'input',
    capability: null,
    provider: null,
    surface: 'platform',
    produced: { ...file, bytes },
  });
}

interface Wanted {
  readonly kind: InputKind;
  readonly field: string;
}

/** Identifies bytes as a media file. @throws AppError `invalid_request` for bytes that are no whole file of the kind */
export function readInput(bytes: Uint8Array, { kind, field }: Wanted): MediaFile {
  const file = readMediaFile(bytes);
  if (typeof file === 'string') throw wrong(field, `expected ${expected[kind]}, got ${file}`);
  assertInput(file, kind, field);
  return file;
}

/**
 * Looks at the first bytes of a file: one of pictures that are too large need not be read any further.
 *
 * @throws AppError `invalid_request`
 */
export function assertBeginning(bytes: Uint8Array, { kind, field }: Wanted): void {
  const seen = kind === 'picture' ? peekPicture(bytes) : null;
  if (seen) assertSize(seen, field);
}

const expected: Readonly<Record<InputKind, string>> = {
  picture: 'a picture as PNG, JPEG or WebP',
  recording: 'a recording, or a film with sound',
};

/**
 * @throws AppError `invalid_request` where a file is none of the kind, or a picture that is too large to be decoded.
 */
export function assertInput(
  { kind: found, mediaType, width, height }: Pick<MediaFile, 'mediaType'> & Readonly<Record<'kind', string>> & Sized,
  kind: InputKind,
  field: string,
): void {
  const fits = kind === 'picture' ? pictures.has(mediaType) : found === 'audio' || found === 'video';
  if (!fits) throw wrong(field, `expected ${expected[kind]}, got ${mediaType}`);
  if (kind !== 'picture') return;
  if (!width || !height) throw wrong(field, 'expected a picture that says its size, got one that does not');
  assertSize({ width, height }, field);
}

function assertSize({ width, height }: { readonly width: number; readonly height: number }, field: string): void {
  if (width * height > MOST_PIXELS)
    throw wrong(field, `expected a picture of at most ${MOST_PIXELS / 1e6} megapixels, got ${width} × ${height}`);
  if (Math.max(width, height) > MOST_SIDE)
    throw wrong(field, `expected a picture of at most ${MOST_SIDE} pixels a side, got ${width} × ${height}`);
}

interface Sized {
  readonly width?: number | null;
  readonly height?: number | null;
}

/** @param what without a full stop at its end */
export function wrong(field: string, what: string): AppError {
  return new AppError('invalid_request', `body.${field}: ${what}.`, { field: `body.${field}` });
}
