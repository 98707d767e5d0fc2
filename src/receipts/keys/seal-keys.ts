import { createPrivateKey, sign } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { base64urlOf, bytesOfBase64url } from '#src/lib/crypto/base64url.ts';
import { newSecretKey, publicKeyOf } from '#src/lib/crypto/ed25519.ts';
import { AppError } from '#src/lib/errors.ts';
import { jwkOf } from '#src/receipts/format/jwk.ts';
import {
  beginManifest,
  checkManifest,
  type KeyManifest,
  keysOf,
  type SealKey,
} from '#src/receipts/format/key-manifest.ts';
import type { Signer } from '#src/receipts/format/seal.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { createPrivateFile, readPrivateFile } from '#src/system/config/private-file.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { httpSigner, type RemoteSigner, remoteSignerOf } from './http-signer.ts';

/** The key that seals now, and the manifest of all there were: one file, so that the two never differ. */
export interface SealKeyFile {
  /** 32 bytes, base64url; none where a signer outside holds the last key of the manifest. */
  readonly secretKey?: string;
  readonly manifest: KeyManifest;
}

/** The signer that seals now, and the published manifest of keys. */
export interface SealKeys {
  readonly signer: Signer;
  readonly manifest: KeyManifest;
}

const Shape = Type.Object({ secretKey: Type.Optional(Type.String()), manifest: Type.Unknown() });

/** Returns the path of the key's file. */
export function sealKeyPath({
  SEAL_KEY_FILE: file,
  PROOFLINE_HOME: home,
}: Pick<Config, 'SEAL_KEY_FILE' | 'PROOFLINE_HOME'>): string {
  return resolve(file === '' ? join(home, 'secrets', 'seal-key.json') : file);
}

/**
 * The keys in the file; made at first use, and read again when another process has rotated them. Several processes that
 * begin at once get the same key. With a remote signer the file holds no secret.
 *
 * @throws AppError `invalid_configuration` for a file that others may read or that holds something else; `unavailable`
 *   when the remote signer cannot seal the first manifest.
 */
export function openSealKeys(
  path: string,
  now: () => Date = () => new Date(),
  remote: RemoteSigner | null = null,
): () => Promise<SealKeys> {
  let known: { readonly stamp: string; readonly keys: SealKeys } | null = null;
  return async () => {
    const stamp = stampOf(path);
    if (known !== null && known.stamp === stamp) return known.keys;
    if (stamp === null) await createKeyFile(path, now(), remote);
    const file = readKeyFile(path);
    known = {
      stamp: stampOf(path) ?? '',
      keys: { signer: checkedSigner(path, file, remote), manifest: file.manifest },
    };
    return known.keys;
  };
}

/** The keys of this process. */
export const sealKeysOf = perContext(({ config }: Context) =>
  openSealKeys(sealKeyPath(config), undefined, remoteSignerOf(config)),
);

/** @throws AppError `invalid_configuration` when there is none, or it holds something else. */
export function readKeyFile(path: string): SealKeyFile {
  const text = readPrivateFile(path);
  if (text === undefined) throw wrong(path, 'a key file, got none; it is made when a receipt is sealed first');
  try {
    const file: unknown = JSON.parse(text);
    if (!Value.Check(Shape, file)) throw new TypeError('it has other members than secretKey and manifest');
    const why = checkManifest(file.manifest);
    if (why !== null) throw new TypeError(why);
    const manifest = file.manifest as KeyManifest;
    const { secretKey } = file;
    if (secretKey === undefined) return { manifest };
    if (fileSigner(secretKey).kid !== lastKeyOf(manifest).kid)
      throw new TypeError('its key is not the last one of its manifest');
    return { secretKey, manifest };
  } catch (error) {
    // the cause could carry the text of the file, so only our own words go on
    const why = error instanceof TypeError ? error.message : 'it is no JSON';
    throw wrong(path, `a key and its manifest, got something else (${why})`);
  }
}

/**
 * Returns the signer that holds the last key of the manifest: the file itself, or the remote signer, which is called
 * with the id of the key, so that a process that runs follows a rotation.
 *
 * @throws AppError `invalid_configuration` when neither does.
 */
export function signerOf(path: string, { secretKey, manifest }: SealKeyFile, remote: RemoteSigner | null): Signer {
  if (secretKey !== undefined) return fileSigner(secretKey);
  if (remote) return httpSigner(remote, lastKeyOf(manifest).publicKey);
  throw wrong(
    path,
    'a secret key, or SEAL_SIGNER_URL and what goes with it, since the key is held by a signer outside',
  );
}

/** A file that cannot seal under these settings still says which keys there were: its signer throws when it is used. */
function checkedSigner(path: string, file: SealKeyFile, remote: RemoteSigner | null): Signer {
  const { kid } = lastKeyOf(file.manifest);
  let signer: Signer | undefined;
  return {
    kid,
    sign: async (message) => {
      if (remote && file.secretKey !== undefined)
        throw wrong(path, 'no secret key in it, since SEAL_SIGNER_URL is set: run `proofline key rotate-seal`');
      signer ??= signerOf(path, file, remote);
      return await signer.sign(message);
    },
  };
}

/**
 * A key in memory as a signer. A signature of Ed25519 is the same bytes from every implementation, and OpenSSL makes one in
 * a tenth of the time; what counts as one is decided elsewhere, and by one implementation.
 *
 * @param secretKey 32 bytes, base64url
 */
export function fileSigner(secretKey: string): Signer {
  const x = base64urlOf(publicKeyOf(bytesOfBase64url(secretKey)));
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d: secretKey, x } });
  return { kid: jwkOf(x).kid, sign: async (message) => sign(null, message, key) };
}

/** Key that seals from a moment on. */
interface NewSealKey {
  /** 32 bytes, base64url; none of a remote signer. */
  readonly secretKey?: string;
  readonly signer: Signer;
  /** Entry of the manifest that will list it. */
  readonly entry: SealKey;
}

/** A new key, or the one that the remote signer is to seal with, in use from this moment. */
export function newSealKey(nbf: string, remote: RemoteSigner | null): NewSealKey {
  if (remote) return { signer: httpSigner(remote, remote.publicKey), entry: entryOf(remote.publicKey, nbf) };
  const secret = newSecretKey();
  const secretKey = base64urlOf(secret);
  return { secretKey, signer: fileSigner(secretKey), entry: entryOf(base64urlOf(publicKeyOf(secret)), nbf) };
}

function entryOf(publicKey: string, nbf: string): SealKey {
  return { kid: jwkOf(publicKey).kid, publicKey, nbf, exp: null, revokedAt: null, reason: null };
}

export const textOfKeyFile = (file: SealKeyFile): string => `${JSON.stringify(file, null, 2)}\n`;

async function createKeyFile(path: string, now: Date, remote: RemoteSigner | null): Promise<void> {
  const { entry, signer, ...secret } = newSealKey(now.toISOString(), remote);
  const manifest = await beginManifest(entry, now.toISOString(), signer);
  createPrivateFile(path, textOfKeyFile({ ...secret, manifest }));
}

function lastKeyOf(manifest: KeyManifest): SealKey {
  const last = keysOf(manifest).at(-1);
  if (last) return last;
  throw new AppError('internal', 'The manifest has no key that could have sealed it.');
}

/** Another one for every file that takes this path; null where there is none. */
function stampOf(path: string): string | null {
  const known = statSync(path, { throwIfNoEntry: false, bigint: true });
  return known ? `${known.ino}:${known.mtimeNs}:${known.mode}` : null;
}

function wrong(path: string, expected: string): AppError {
  return new AppError('invalid_configuration', `${path}: expected ${expected}.`);
}
