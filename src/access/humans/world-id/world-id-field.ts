import { keccak_256 } from '@noble/hashes/sha3.js';
import Type from 'typebox';
import { prefixedHexOf } from '#src/lib/crypto/hex.ts';

/**
 * A number as World writes it: hexadecimal, with or without `0x`. Not one text a number, so compare what `numberOf`
 * reads.
 */
export const WorldIdHex = Type.String({ pattern: '^(0x)?[0-9a-fA-F]{1,64}$', maxLength: 66 });

export function numberOf(hex: string): bigint {
  return BigInt(hex.startsWith('0x') ? hex : `0x${hex}`);
}

/**
 * World's hash of a signal: Keccak-256 without its last 8 bits. Of bytes: a text that looks like hexadecimal is hashed
 * in another way.
 */
export function hashSignal(signal: Uint8Array): bigint {
  return numberOf(prefixedHexOf(keccak_256(signal))) >> 8n;
}
