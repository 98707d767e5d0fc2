import type { Asset } from '#src/providers/assets/assets.ts';
import type { PackageManifest } from './package-manifest.ts';

/** Standard Webhooks asks for less than 20 kB. */
const MOST_BYTES = 20_000;

export interface PackageLink {
  readonly url: string;
  readonly expiresAt: string;
}

/**
 * Builds the message to a channel's receiver. It holds the package's manifest, with the caption beside it; where that
 * would be too much for a webhook, without its lists (`abridged`): they are in the package.
 */
export function packageMessage(
  manifest: PackageManifest,
  { id, sha256, size }: Pick<Asset, 'id' | 'sha256' | 'size'>,
  { url, expiresAt }: PackageLink,
  timestamp: string,
): string {
  const { caption, ...rest } = manifest;
  const { channel } = manifest;
  const message = (listed: Readonly<Record<string, unknown>>) =>
    JSON.stringify({
      type: 'package.ready',
      timestamp,
      data: { channel, package: { id, sha256, size, url, expiresAt }, manifest: listed, caption },
    });
  const whole = message(rest);
  if (Buffer.byteLength(whole) < MOST_BYTES) return whole;
  const { files, assets, leftOut, warnings, ...short } = rest;
  const counts = {
    files: files.length,
    assets: assets.length,
    leftOut: leftOut.length,
    warnings: warnings.length,
  };
  return message({ ...short, abridged: true, counts });
}
