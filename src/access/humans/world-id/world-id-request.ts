import { randomBytes } from 'node:crypto';
import { toBytes32 } from '#src/access/humans/semaphore/field.ts';
import { prefixedHexOf } from '#src/lib/crypto/hex.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { hashSignal } from './world-id-field.ts';
import type { RpContext, WorldIdEnrolment, WorldIdPresence } from './world-id-schemas.ts';

/** Fields that a signature is made over. */
export interface WorldIdAsk {
  /** A field element, `0x` and 64 hexadecimal digits. */
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Action of a uniqueness proof; a session has none. */
  readonly action?: string;
}

/** A challenge, as far as a request for a proof over it needs it. */
interface RequestChallenge {
  /** The challenge's message, lower-case hexadecimal. */
  readonly sha256: string;
  readonly expiresAt: Date;
}

/** Checks whether people can enrol with World ID here. */
export function isWorldIdSet({
  WORLD_ID_RP_ID,
  WORLD_ID_SIGNING_KEY,
}: Pick<Config, 'WORLD_ID_RP_ID' | 'WORLD_ID_SIGNING_KEY'>): boolean {
  return WORLD_ID_RP_ID !== '' && WORLD_ID_SIGNING_KEY !== '';
}

/** A nonce for a request: 32 random bytes hashed into the field, as a signal is. World takes each once. */
export function worldIdNonce(): string {
  return prefixedHexOf(toBytes32(hashSignal(randomBytes(32))));
}

/**
 * Makes the requests for an enrolment with World ID: one for a uniqueness proof and one for a session, over one
 * challenge.
 */
export async function enrolmentRequest(
  config: Config,
  challenge: RequestChallenge,
  nonces: { readonly unique: string; readonly session: string },
): Promise<WorldIdEnrolment> {
  const action = config.WORLD_ID_ACTION;
  return {
    ...commonOf(config, challenge),
    action,
    rpContext: await signWorldIdRequest(config, { ...timesOf(challenge), nonce: nonces.unique, action }),
    sessionRpContext: await signWorldIdRequest(config, { ...timesOf(challenge), nonce: nonces.session }),
  };
}

/** Makes the request for a proof of presence with the session of the human's enrolment, over one challenge. */
export async function presenceRequest(
  config: Config,
  challenge: RequestChallenge,
  { sessionId, nonce }: { readonly sessionId: string; readonly nonce: string },
): Promise<WorldIdPresence> {
  return {
    ...commonOf(config, challenge),
    sessionId,
    requireUserPresence: true,
    rpContext: await signWorldIdRequest(config, { ...timesOf(challenge), nonce }),
  };
}

/**
 * Signs a request for a proof. The message is version 1, the nonce, both times as 64 bits, and, for a proof of
 * uniqueness, the action hashed into the field; the signature is an Ethereum one (EIP-191).
 *
 * @see worldcoin/idkit js/packages/server/src/lib/signing.ts, computeRpSignatureMessage
 */
export async function signWorldIdRequest(
  { WORLD_ID_RP_ID, WORLD_ID_SIGNING_KEY }: Pick<Config, 'WORLD_ID_RP_ID' | 'WORLD_ID_SIGNING_KEY'>,
  { nonce, createdAt, expiresAt, action }: WorldIdAsk,
): Promise<RpContext> {
  const times = Buffer.alloc(16);
  times.writeBigUInt64BE(BigInt(createdAt), 0);
  times.writeBigUInt64BE(BigInt(expiresAt), 8);
  const hashed = action === undefined ? Buffer.of() : toBytes32(hashSignal(Buffer.from(action)));
  const raw = Buffer.concat([Buffer.of(1), Buffer.from(nonce.slice(2), 'hex'), times, hashed]);
  // large, and of use only where World ID is set
  const { privateKeyToAccount } = await import('viem/accounts');
  const account = privateKeyToAccount(`0x${WORLD_ID_SIGNING_KEY.replace(/^0x/, '')}`);
  const signature = await account.signMessage({ message: { raw } });
  return { rp_id: WORLD_ID_RP_ID, nonce, created_at: createdAt, expires_at: expiresAt, signature };
}

function commonOf({ WORLD_ID_RP_ID }: Config, { sha256 }: RequestChallenge) {
  return { rpId: WORLD_ID_RP_ID, environment: 'production', signal: `0x${sha256}` };
}

function timesOf({ expiresAt }: RequestChallenge): Pick<WorldIdAsk, 'createdAt' | 'expiresAt'> {
  return { createdAt: Math.floor(Date.now() / 1_000), expiresAt: Math.floor(expiresAt.getTime() / 1_000) };
}
