import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { prefixedHexOf } from '#src/lib/hex.ts';
import type { Config } from '#src/system/config.ts';
import { toBytes32 } from './field.ts';
import { hashSignal } from './world-id.ts';

/** What IDKit 4 calls `rp_context`: our signature under a request for a proof. */
export interface RpContext {
  readonly rp_id: string;
  /** A field element, `0x` and 64 hexadecimal digits. */
  readonly nonce: `0x${string}`;
  /** Seconds since 1970. */
  readonly created_at: number;
  readonly expires_at: number;
  /** r, s and v of secp256k1, 65 bytes. */
  readonly signature: `0x${string}`;
}

/** Whether people can enrol with World ID here. */
export function isWorldIdSet({ WORLD_ID_RP_ID, WORLD_ID_SIGNING_KEY }: Config): boolean {
  return WORLD_ID_RP_ID !== '' && WORLD_ID_SIGNING_KEY !== '';
}

/** A nonce for a request: 32 random bytes hashed into the field, as a signal is. */
export function worldIdNonce(): `0x${string}` {
  return prefixedHexOf(toBytes32(hashSignal(randomBytes(32))));
}

/**
 * Signs a request for a uniqueness proof. The message is version 1, the nonce, both times as 64 bits, and the action
 * hashed into the field; the signature is an Ethereum one (EIP-191).
 *
 * @see worldcoin/idkit js/packages/server/src/lib/signing.ts, computeRpSignatureMessage
 */
export async function signWorldIdRequest(
  config: Pick<Config, 'WORLD_ID_RP_ID' | 'WORLD_ID_ACTION' | 'WORLD_ID_SIGNING_KEY'>,
  nonce: `0x${string}`,
  createdAt: number,
  expiresAt: number,
): Promise<RpContext> {
  const times = Buffer.alloc(16);
  times.writeBigUInt64BE(BigInt(createdAt), 0);
  times.writeBigUInt64BE(BigInt(expiresAt), 8);
  const action = toBytes32(hashSignal(Buffer.from(config.WORLD_ID_ACTION)));
  const raw = Buffer.concat([Buffer.of(1), Buffer.from(nonce.slice(2), 'hex'), times, action]);
  const account = privateKeyToAccount(`0x${config.WORLD_ID_SIGNING_KEY.replace(/^0x/, '')}`);
  const signature = await account.signMessage({ message: { raw } });
  return { rp_id: config.WORLD_ID_RP_ID, nonce, created_at: createdAt, expires_at: expiresAt, signature };
}
