import { rmSync } from 'node:fs';
import { AppError } from '#src/lib/errors.ts';
import { addVersion, keysOf, type SealKey } from '#src/receipts/format/key-manifest.ts';
import { createPrivateFile, replacePrivateFile } from '#src/system/config/private-file.ts';
import type { RemoteSigner } from './http-signer.ts';
import { newSealKey, readKeyFile, signerOf, textOfKeyFile } from './seal-keys.ts';

/** Milliseconds for which a replaced key's seals still count: for what was begun before a process saw the new one. */
const overlapMs = 3_600_000;

export interface Compromise {
  /** The key that others may have; without one the key in use. */
  readonly kid: string | null;
  /** Since when. */
  readonly since: Date;
  readonly reason: string;
}

export interface Rotation {
  readonly version: number;
  readonly retired: SealKey;
  readonly current: SealKey;
}

/**
 * Begins a new key. The old one seals the manifest that names the new one, and is then erased from the file; as
 * revoked, its seals count only where an anchor is older than `since`. With a remote signer the new key is the one that
 * it is to seal with from now on, and nothing changes unless that key signs.
 *
 * @throws AppError `state_conflict` while another rotation runs, or for a key of the remote signer that is in the
 *   manifest already; `not_found` for a key that the manifest does not know; `unavailable` when the remote signer does
 *   not sign.
 */
export async function rotateSealKey(
  path: string,
  compromise: Compromise | null,
  now = new Date(),
  remote: RemoteSigner | null = null,
): Promise<Rotation> {
  const lock = `${path}.rotating`;
  if (!createPrivateFile(lock, `${process.pid}\n`)) {
    throw new AppError('state_conflict', `Another rotation runs; if none does, one was killed: remove ${lock}.`);
  }
  try {
    const file = readKeyFile(path);
    const { manifest } = file;
    const known = keysOf(manifest);
    const kid = compromise?.kid ?? known.at(-1)?.kid;
    if (!known.some((key) => key.kid === kid)) {
      throw new AppError('not_found', `expected one of the keys of the manifest, got ${kid}.`);
    }
    const at = now.toISOString();
    const { entry, signer: next, ...secret } = newSealKey(at, remote);
    if (known.some((key) => key.kid === entry.kid)) {
      throw new AppError(
        'state_conflict',
        `SEAL_SIGNER_PUBLIC_KEY: expected a key that the manifest has not yet, got ${entry.kid}: make a new one at the signer.`,
      );
    }
    const kept = known.map((key, index) => {
      const revoked = compromise && key.kid === kid ? revoke(key, compromise, at) : key;
      return index === known.length - 1 ? retire(revoked, now) : revoked;
    });
    const keys = [...kept, entry];
    // the same bytes sealed by the new key, and let go: a key that cannot sign must not be named
    await addVersion(manifest, keys, at, next);
    const grown = await addVersion(manifest, keys, at, signerOf(path, file, remote));
    replacePrivateFile(path, textOfKeyFile({ ...secret, manifest: grown }));
    const retired = kept.at(-1);
    if (!retired) throw new AppError('internal', 'The manifest has no key that could have sealed it.');
    return { version: grown.versions.length, retired, current: entry };
  } finally {
    rmSync(lock);
  }
}

function revoke(key: SealKey, { since, reason }: Compromise, now: string): SealKey {
  const at = since.toISOString();
  const earlier = key.revokedAt !== null && key.revokedAt < at ? key.revokedAt : at;
  return { ...key, exp: key.exp ?? now, revokedAt: earlier, reason };
}

const retire = (key: SealKey, now: Date): SealKey => ({
  ...key,
  exp: key.exp ?? new Date(now.getTime() + overlapMs).toISOString(),
});
