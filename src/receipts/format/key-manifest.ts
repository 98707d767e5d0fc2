import { sha256 } from '@noble/hashes/sha2.js';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { exactBytes } from '#src/lib/crypto/canonical-json.ts';
import { hexOf, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { leafHash } from '#src/lib/crypto/merkle.ts';
import { jwkOf } from './jwk.ts';
import { closed, instant, keyId, sealed, sha256 as sha256Of } from './receipt-schema.ts';
import { isSealOf, type Signer, sealBytes } from './seal.ts';

const manifestType = 'application/vnd.proofline.key-manifest+json';

/** One key that seals or has sealed receipts. None is ever left out again. */
const SealKey = closed(
  {
    kid: keyId,
    publicKey: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: '32 bytes, base64url' }),
    nbf: instant('It seals nothing before'),
    exp: Type.Union([instant('It seals nothing from then on'), Type.Null()]),
    revokedAt: Type.Union([
      instant('Since when others may have it: a receipt counts only if its anchor is older'),
      Type.Null(),
    ]),
    reason: Type.Union([Type.String({ minLength: 1, maxLength: 300, description: 'Why it was revoked' }), Type.Null()]),
  },
  { title: 'SealKey' },
);
export type SealKey = Static<typeof SealKey>;

const Body = closed({
  version: Type.Integer({ minimum: 1, description: 'From 1, without a gap' }),
  previous: Type.Union([sha256Of('Hash of the version before'), Type.Null()]),
  issuedAt: instant('When it was sealed'),
  keys: Type.Array(SealKey, { minItems: 1, description: 'In the order in which they were made; the last one seals' }),
});
export type ManifestBody = Static<typeof Body>;

/** Every version of the list of keys, each sealed by the key that was the last one of the version before. */
export const KeyManifest = closed(
  {
    type: Type.Literal('key-manifest/v1'),
    versions: Type.Array(closed({ body: Body, seal: sealed(Type.Literal(manifestType), 'ManifestSeal') }), {
      minItems: 1,
    }),
  },
  { title: 'KeyManifest' },
);
export type KeyManifest = Static<typeof KeyManifest>;

/** The first version of a manifest, with the one key that there is, sealed by itself. */
export async function beginManifest(key: SealKey, issuedAt: string, signer: Signer): Promise<KeyManifest> {
  return await addVersion({ type: 'key-manifest/v1', versions: [] }, [key], issuedAt, signer);
}

/**
 * The manifest with one more version. @param signer of the key that seals so far: the last one of the newest version
 */
export async function addVersion(
  manifest: KeyManifest,
  keys: SealKey[],
  issuedAt: string,
  signer: Signer,
): Promise<KeyManifest> {
  const last = manifest.versions.at(-1)?.body;
  const body = { version: manifest.versions.length + 1, previous: last ? digestOf(last) : null, issuedAt, keys };
  const seal = await sealBytes(manifestType, exactBytes(body), signer);
  return { ...manifest, versions: [...manifest.versions, { body, seal }] };
}

/** The keys of the newest version. */
export const keysOf = (manifest: KeyManifest): readonly SealKey[] => manifest.versions.at(-1)?.body.keys ?? [];

/** Computes the anchored root of a version: the RFC 6962 leaf hash of its canonical body, with 0x. */
export const versionRoot = (body: ManifestBody): `0x${string}` => prefixedHexOf(leafHash(exactBytes(body)));

/** Why a document is no manifest that can be believed, as a sentence; null when it is one. */
export function checkManifest(document: unknown): string | null {
  const [wrong] = Value.Errors(KeyManifest, document);
  if (wrong) return `key manifest${wrong.instancePath}: ${wrong.message}.`;
  const { versions } = document as KeyManifest;
  for (const [index, { body, seal }] of versions.entries()) {
    const before = versions[index - 1]?.body;
    const why = checkKeys(body.keys) ?? checkSuccession(body, before, index + 1) ?? checkSealer(body, seal, before);
    if (why !== null) return `key manifest, version ${index + 1}: ${why}`;
  }
  return null;
}

function checkKeys(keys: readonly SealKey[]): string | null {
  for (const { kid, publicKey } of keys) {
    try {
      const right = jwkOf(publicKey).kid;
      if (right !== kid) return `expected the key id ${right} of its public key, got ${kid}.`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return new Set(keys.map(({ kid }) => kid)).size === keys.length ? null : 'expected every key once, got one twice.';
}

/** A key stays for ever, and a revocation may move back in time but never forward or away. */
function checkSuccession(body: ManifestBody, before: ManifestBody | undefined, version: number): string | null {
  const previous = before ? digestOf(before) : null;
  if (body.version !== version) return `expected the number ${version}, got ${body.version}.`;
  if (body.previous !== previous) return `expected it to follow ${previous}, got ${body.previous}.`;
  for (const [index, old] of before?.keys.entries() ?? []) {
    const now = body.keys[index];
    if (now?.kid !== old.kid || now.nbf !== old.nbf) return `expected key ${old.kid} at position ${index}, unchanged.`;
    if (old.revokedAt !== null && (now.revokedAt === null || now.revokedAt > old.revokedAt)) {
      return `expected key ${old.kid} to stay revoked since ${old.revokedAt}, got ${now.revokedAt}.`;
    }
  }
  return null;
}

function checkSealer(
  body: ManifestBody,
  seal: KeyManifest['versions'][number]['seal'],
  before: ManifestBody | undefined,
): string | null {
  const sealer = (before ?? body).keys.at(-1);
  if (sealer === undefined || seal.kid !== sealer.kid) return `expected the seal of ${sealer?.kid}, got ${seal.kid}.`;
  return isSealOf(seal, exactBytes(body), sealer.publicKey) ? null : `the seal is not that of key ${seal.kid}.`;
}

const digestOf = (body: ManifestBody): string => hexOf(sha256(exactBytes(body)));
