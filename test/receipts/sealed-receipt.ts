import { createHash } from 'node:crypto';
import { prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { leafHash } from '#src/lib/crypto/merkle.ts';
import type { SealedReceipt } from '#src/receipts/receipt-store.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A receipt in the right form, whose seal nobody made: for tests of what only carries receipts. */
export function sealedReceipt(id: string): SealedReceipt {
  const at = '2026-11-21T00:00:03.100Z';
  const genesis = digest(id);
  return {
    version: 'receipt/v1',
    id,
    root: prefixedHexOf(leafHash(Buffer.from(id))),
    statement: {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: `missions/${id}/events`, digest: { sha256: genesis } }],
      predicateType: 'https://platform.example/receipt/v1',
      predicate: {
        receiptId: id,
        issuer: 'https://platform.example',
        mission: { id, goalSha256: digest('goal'), planSha256: digest('plan'), createdAt: at },
        events: { count: 0, genesis, head: genesis },
        outcome: 'succeeded',
        human: [],
        sealedAt: at,
      },
    },
    seal: {
      alg: 'Ed25519',
      kid: createHash('sha256').update(id).digest('base64url'),
      payloadType: 'application/vnd.in-toto+json',
      sig: Buffer.alloc(64, 7).toString('base64url'),
    },
    events: [],
  };
}
