import { Value } from 'typebox/value';
import { base64Of, base64urlOf, bytesOfBase64url } from '#src/lib/crypto/base64url.ts';
import { exactBytes } from '#src/lib/crypto/canonical-json.ts';
import { isSignatureOf } from '#src/lib/crypto/ed25519.ts';
import { prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { leafHash } from '#src/lib/crypto/merkle.ts';
import { AppError } from '#src/lib/errors.ts';
import { type MissionEvent, payloadType, type Receipt, type Seal, Statement } from './receipt-schema.ts';

/** Signer of seals: a key in a file, or a key management service that never gives its key away. */
export interface Signer {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  /** Ed25519 over the bytes as they are: 64 bytes. */
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

/**
 * Returns the bytes that are signed in place of a body: "DSSEv1", and type and body with their lengths. @see DSSE
 * protocol, "PAE"
 */
export function paeOf(type: string, body: Uint8Array): Uint8Array {
  const text = new TextEncoder();
  const head = text.encode(`DSSEv1 ${text.encode(type).length} ${type} ${body.length} `);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/**
 * Seals bytes of a type with whichever key the signer holds.
 *
 * @throws AppError `unavailable` when the signer answers with something that is no Ed25519 signature.
 */
export async function sealBytes<T extends string>(type: T, body: Uint8Array, { kid, sign }: Signer) {
  const signature = await sign(paeOf(type, body));
  if (signature.length !== 64) {
    throw new AppError('unavailable', `signer ${kid}: expected a signature of 64 bytes, got ${signature.length}.`);
  }
  return { alg: 'Ed25519' as const, kid, payloadType: type, sig: base64urlOf(signature) };
}

/** Checks whether the seal is this key's over these bytes. @param publicKey 32 bytes, base64url */
export function isSealOf(seal: { payloadType: string; sig: string }, body: Uint8Array, publicKey: string): boolean {
  try {
    const message = paeOf(seal.payloadType, body);
    return isSignatureOf(bytesOfBase64url(seal.sig), message, bytesOfBase64url(publicKey));
  } catch (error) {
    if (error instanceof TypeError) return false; // another spelling than the one
    throw error;
  }
}

/** The root of a receipt: the RFC 6962 leaf hash of its canonical statement, with 0x. */
export function rootOf(statement: Statement): `0x${string}` {
  return prefixedHexOf(leafHash(exactBytes(statement)));
}

/**
 * Seals a statement. What does not have the shape of one is never signed.
 *
 * @throws AppError `invalid_result` for it, `unavailable` when the signer fails its contract; what the signer throws.
 */
export async function sealStatement(statement: Statement, key: Signer): Promise<Seal> {
  const [wrong] = Value.Errors(Statement, statement);
  if (wrong) {
    throw new AppError('invalid_result', `statement${wrong.instancePath}: ${wrong.message}; it was not sealed.`);
  }
  return await sealBytes(payloadType, exactBytes(statement), key);
}

/** Checks whether the seal is this key's over the statement. @param publicKey 32 bytes, base64url */
export function verifySeal(statement: Statement, seal: Seal, publicKey: string): boolean {
  return isSealOf(seal, exactBytes(statement), publicKey);
}

/** A receipt of a statement and the events it seals, not anchored yet. @throws as {@link sealStatement}. */
export async function sealReceipt(statement: Statement, events: MissionEvent[], key: Signer): Promise<Receipt> {
  const seal = await sealStatement(statement, key);
  const { receiptId: id } = statement.predicate;
  return { version: 'receipt/v1', id, root: rootOf(statement), statement, seal, events, anchor: null };
}

/** A DSSE envelope: the exact bytes that were sealed, for verifiers without a canonicaliser. */
export function dsseOf({ statement, seal }: Pick<Receipt, 'statement' | 'seal'>) {
  const sig = base64Of(bytesOfBase64url(seal.sig));
  return {
    payload: base64Of(exactBytes(statement)),
    payloadType: seal.payloadType,
    signatures: [{ keyid: seal.kid, sig }],
  };
}
