import { sha256 } from '@noble/hashes/sha2.js';
import { type Static, Type } from 'typebox';
import { base64urlOf, bytesOfBase64url } from '#src/lib/crypto/base64url.ts';

/** A public key as published; what others add to it is let be. @see RFC 8037, section 2 */
export const Jwk = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String({ description: 'The public key, base64url' }),
  kid: Type.String({ description: 'RFC 7638 thumbprint of the key' }),
  alg: Type.Optional(Type.String()),
  use: Type.Optional(Type.String()),
});
export type Jwk = Static<typeof Jwk>;

/** @see RFC 7517, section 5 */
export const Jwks = Type.Object({ keys: Type.Array(Type.Unknown()) });

/**
 * The name of an Ed25519 key: base64url of SHA-256 over its canonical JWK.
 *
 * @param publicKey 32 bytes
 * @see RFC 7638 and RFC 8037, appendix A.3
 */
export function thumbprintOf(publicKey: Uint8Array): string {
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: base64urlOf(publicKey) });
  return base64urlOf(sha256(new TextEncoder().encode(members)));
}

/** @param publicKey 32 bytes, base64url @throws TypeError for anything else. */
export function jwkOf(publicKey: string): Required<Jwk> {
  const bytes = bytesOfBase64url(publicKey);
  if (bytes.length !== 32) throw new TypeError(`public key: expected 32 bytes, got ${bytes.length}.`);
  return { kty: 'OKP', crv: 'Ed25519', alg: 'Ed25519', use: 'sig', kid: thumbprintOf(bytes), x: publicKey };
}
