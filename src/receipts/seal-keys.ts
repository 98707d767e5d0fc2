import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { base64urlOf, bytesOfBase64url } from '#src/lib/base64url.ts';
import { newSecretKey, publicKeyOf, signatureOf } from '#src/lib/ed25519.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { createPrivateFile, readPrivateFile } from '#src/system/private-file.ts';
import { jwkOf } from './jwk.ts';
import { beginManifest, checkManifest, type KeyManifest, keysOf, type SealKey } from './key-manifest.ts';
import type { Signer } from './seal.ts';

/** The key that seals now, and the manifest of all there were: one file, so that the two never differ. */
export interface SealKeyFile {
  /** 32 bytes, base64url. */
  readonly secretKey: string;
  readonly manifest: KeyManifest;
}

/** What seals now, and what the world is told about keys. */
export interface SealKeys {
  readonly signer: Signer;
  readonly manifest: KeyManifest;
}

const Shape = Type.Object({ secretKey: Type.String(), manifest: Type.Unknown() });

/** Where the key is kept. */
export function sealKeyPath({
  SEAL_KEY_FILE: file,
  PROOFLINE_HOME: home,
}: Pick<Config, 'SEAL_KEY_FILE' | 'PROOFLINE_HOME'>): string {
  return resolve(file === '' ? join(home, 'secrets', 'seal-key.json') : file);
}

/**
 * The keys in the file; made at first use, and read again when another process has rotated them. Several processes that
 * begin at once get the same key.
 *
 * @throws AppError `invalid_configuration` for a file that others may read or that holds something else.
 */
export function openSealKeys(path: string, now: () => Date = () => new Date()): () => Promise<SealKeys> {
  let known: { readonly stamp: string; readonly keys: SealKeys } | null = null;
  return async () => {
    const stamp = stampOf(path);
    if (known !== null && known.stamp === stamp) return known.keys;
    if (stamp === null) await createKeyFile(path, now());
    const { secretKey, manifest } = readKeyFile(path);
    known = { stamp: stampOf(path) ?? '', keys: { signer: fileSigner(secretKey), manifest } };
    return known.keys;
  };
}

/** The keys of this process. */
export const sealKeysOf = perContext(({ config }: Context) => openSealKeys(sealKeyPath(config)));

/** @throws AppError `invalid_configuration` when there is none, or it holds something else. */
export function readKeyFile(path: string): SealKeyFile {
  const text = readPrivateFile(path);
  if (text === undefined) throw wrong(path, 'a key file, got none; it is made when a receipt is sealed first');
  try {
    const file: unknown = JSON.parse(text);
    if (!Value.Check(Shape, file)) throw new TypeError('it has other members than secretKey and manifest');
    const why = checkManifest(file.manifest);
    if (why !== null) throw new TypeError(why);
    const read: SealKeyFile = { secretKey: file.secretKey, manifest: file.manifest as KeyManifest };
    const last = keysOf(read.manifest).at(-1);
    if (fileSigner(read.secretKey).kid !== last?.kid)
      throw new TypeError('its key is not the last one of its manifest');
    return read;
  } catch (error) {
    // the cause could carry the text of the file, so only our own words go on
    const why = error instanceof TypeError ? error.message : 'it is no JSON';
    throw wrong(path, `a key and its manifest, got something else (${why})`);
  }
}

/** A key in memory as a signer. @param secretKey 32 bytes, base64url */
export function fileSigner(secretKey: string): Signer {
  const bytes = bytesOfBase64url(secretKey);
  return { kid: jwkOf(base64urlOf(publicKeyOf(bytes))).kid, sign: async (message) => signatureOf(message, bytes) };
}

/** A new key, and how the manifest will list it, in use from this moment. */
export function newSealKey(nbf: string): { secretKey: string; entry: SealKey } {
  const secret = newSecretKey();
  const publicKey = base64urlOf(publicKeyOf(secret));
  const entry = { kid: jwkOf(publicKey).kid, publicKey, nbf, exp: null, revokedAt: null, reason: null };
  return { secretKey: base64urlOf(secret), entry };
}

export const textOfKeyFile = (file: SealKeyFile): string => `${JSON.stringify(file, null, 2)}\n`;

async function createKeyFile(path: string, now: Date): Promise<void> {
  const { secretKey, entry } = newSealKey(now.toISOString());
  const manifest = await beginManifest(entry, now.toISOString(), fileSigner(secretKey));
  createPrivateFile(path, textOfKeyFile({ secretKey, manifest }));
}

/** Another one for every file that takes this path; null where there is none. */
function stampOf(path: string): string | null {
  const known = statSync(path, { throwIfNoEntry: false, bigint: true });
  return known ? `${known.ino}:${known.mtimeNs}:${known.mode}` : null;
}

function wrong(path: string, expected: string): AppError {
  return new AppError('invalid_configuration', `${path}: expected ${expected}.`);
}
