import { rmSync } from 'node:fs';
import { AppError } from '#src/lib/errors.ts';
import { createPrivateFile, replacePrivateFile } from '#src/system/private-file.ts';
import { addVersion, keysOf, type SealKey } from './key-manifest.ts';
import { fileSigner, newSealKey, readKeyFile, textOfKeyFile } from './seal-keys.ts';

/** How long a replaced key's seals still count: for what was begun before a process saw the new one. */
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
 * Begins a new key. The old one seals the manifest that names the new one, and is then erased from the file; as revoked,
 * its seals count only where an anchor is older than `since`.
 *
 * @throws AppError `state_conflict` while another rotation runs, `not_found` for a key that the manifest does not know.
 */
export async function rotateSealKey(path: string, compromise: Compromise | null, now = new Date()): Promise<Rotation> {
  const lock = `${path}.rotating`;
  if (!createPrivateFile(lock, `${process.pid}\n`)) {
    throw new AppError('state_conflict', `Another rotation runs; if none does, one was killed: remove ${lock}.`);
  }
  try {
    const { secretKey, manifest } = readKeyFile(path);
    const known = keysOf(manifest);
    const kid = compromise?.kid ?? known.at(-1)?.kid;
    if (!known.some((key) => key.kid === kid)) {
      throw new AppError('not_found', `expected one of the keys of the manifest, got ${kid}.`);
    }
    const at = now.toISOString();
    const { secretKey: next, entry } = newSealKey(at);
    const kept = known.map((key, index) => {
      const revoked = compromise && key.kid === kid ? revoke(key, compromise, at) : key;
      return index === known.length - 1 ? retire(revoked, now) : revoked;
    });
    const grown = await addVersion(manifest, [...kept, entry], at, fileSigner(secretKey));
    replacePrivateFile(path, textOfKeyFile({ secretKey: next, manifest: grown }));
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
