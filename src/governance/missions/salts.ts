import { hkdfSync } from 'node:crypto';
import { saltedHash } from '#src/receipts/format/salted.ts';
import type { Mission } from './mission-row.ts';

/** Private parts of a mission, which go into its receipt by a salted hash alone. */
export type PrivatePart = 'goal' | 'plan' | `input ${string}` | `output ${string}`;

/**
 * Salted hash of a private part. Each part has a salt of its own, HKDF-SHA-256 of the mission's with the part's name as
 * `info`, so that equal parts do not show as equal; erasing the mission's salt erases them all.
 */
export function privateHash({ salt }: Pick<Mission, 'salt'>, part: PrivatePart, value: unknown): string {
  return saltedHash(value, new Uint8Array(hkdfSync('sha256', salt, new Uint8Array(), `platform/salt/v1 ${part}`, 32)));
}
