import { getPublicKey, hashes, sign, utils, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

/*
 * Ed25519 as RFC 8032, by one implementation wherever a verdict is reached (server, command line, browser): strict
 * implementations differ in what a malicious signer can make them accept, and the verdict must not depend on who asks.
 */
hashes.sha512 = sha512;

/** 32 random bytes. */
export const newSecretKey = (): Uint8Array => utils.randomSecretKey();

/** The 32 bytes of the public key of a 32-byte secret key. */
export const publicKeyOf = (secretKey: Uint8Array): Uint8Array => getPublicKey(secretKey);

/** 64 bytes; the same message and key give the same signature. */
export const signatureOf = (message: Uint8Array, secretKey: Uint8Array): Uint8Array => sign(message, secretKey);

/** Whether the 64 bytes are this key's signature of the message; false as well for bytes that are no signature or no key. */
export function isSignatureOf(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return verify(signature, message, publicKey, { zip215: false });
  } catch {
    // the library throws for a wrong length and for what is no point: no signature either
    return false;
  }
}
