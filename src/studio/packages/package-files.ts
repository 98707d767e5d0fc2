import { hash } from 'node:crypto';
import type { Asset } from '#src/providers/assets/assets.ts';

export type FileRole =
  | 'film'
  | 'picture'
  | 'other'
  | 'thumbnail'
  | 'captions'
  | 'caption'
  | 'title'
  | 'alt-text'
  | 'manifest'
  | 'read-me';

/** One file of a package: a text that was written for it, or the bytes of an asset. */
export interface PackageFile {
  readonly path: string;
  readonly role: FileRole;
  readonly mediaType: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly size: number;
  /** The asset whose bytes it is. */
  readonly asset: Asset | null;
  /** The approved asset that this one was re-framed from. */
  readonly source: Asset | null;
  readonly text: string | null;
}

const endings: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'text/plain': 'txt',
  'text/vtt': 'vtt',
  'application/json': 'json',
  'application/zip': 'zip',
};

/** The bytes of an asset under a name with the ending of its media type. */
export function assetFile(stem: string, role: FileRole, asset: Asset, source: Asset | null = null): PackageFile {
  const { mediaType, sha256, size } = asset;
  const ending = endings[mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''] ?? 'bin';
  return { path: `${stem}.${ending}`, role, mediaType, sha256, size, asset, source, text: null };
}

export function textFile(path: string, role: FileRole, mediaType: string, text: string): PackageFile {
  const bytes = new TextEncoder().encode(text);
  return {
    path,
    role,
    mediaType,
    sha256: hash('sha256', bytes, 'hex'),
    size: bytes.length,
    asset: null,
    source: null,
    text,
  };
}

/** Writes the checksums for `sha256sum -c`: digest, two blanks, path. Paths of ours need no escaping. */
export function checksumsOf(files: readonly PackageFile[]): string {
  return files.map(({ sha256, path }) => `${sha256}  ${path}\n`).join('');
}
