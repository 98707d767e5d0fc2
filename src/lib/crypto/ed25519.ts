import { getPublicKey, hashes, Point, sign, utils, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

/*
 * Ed25519 as RFC 8032, by one implementation wherever a verdict is reached (server, command line, browser). What a malicious
 * signer can make others accept differs: some compare with the cofactor and some without, some take points of small order
 * or other spellings of a point. The verdict must not depend on who asks, so what any of them refuses is refused here.
 */
hashes.sha512 = sha512;

/** 32 random bytes. */
export const newSecretKey = (): Uint8Array => utils.randomSecretKey();

/** The 32 bytes of the public key of a 32-byte secret key. */
export const publicKeyOf = (secretKey: Uint8Array): Uint8Array => getPublicKey(secretKey);

/** 64 bytes; the same message and key give the same signature. */
export const signatureOf = (message: Uint8Array, secretKey: Uint8Array): Uint8Array => sign(message, secretKey);

/**
 * Checks whether the 64 bytes are this key's signature of the message; false as well for bytes that are not a signature
 * or not a key. Key and first half (R) must be points of prime order in their one spelling, and the second half (S)
 * below the order of the group. With such points the equations with and without cofactor are the same, so every
 * verifier of Ed25519 agrees.
 *
 * @see docs/sealing.md, "What counts as a signature"
 */
export function isSignatureOf(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return (
      verify(signature, message, publicKey, { zip215: false }) &&
      isPrimeOrder(publicKey) &&
      isPrimeOrder(signature.subarray(0, 32))
    );
  } catch {
    // the library throws for a wrong length and for what is no point: no signature either
    return false;
  }
}

/**
 * Checks whether these are the 32 bytes of a key that an honest signer can have: a point of prime order, in its one
 * spelling.
 */
export function isPublicKey(bytes: Uint8Array): boolean {
  try {
    return isPrimeOrder(bytes);
  } catch {
    return false;
  }
}

/** @throws Error for what is no point, or another spelling of one. */
function isPrimeOrder(bytes: Uint8Array): boolean {
  const point = Point.fromBytes(bytes);
  return !point.is0() && point.isTorsionFree();
}
