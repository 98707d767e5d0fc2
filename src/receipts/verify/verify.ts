import { type Count, countOf } from './check.ts';
import { type AnchorCount, type AnchorTrust, checkAnchor, noAnchor } from './check-anchor.ts';
import { checkAuthenticity, type KeyTrust } from './check-authenticity.ts';
import { checkIntegrity, readShape } from './check-integrity.ts';
import { checkManifestAnchors } from './check-manifest-anchors.ts';

/** Keys and accounts that a check believes. Each part may be pinned; null where it is not known. */
export interface Trust extends KeyTrust, AnchorTrust {
  /** Anchors of each version of the manifest; looked at only where they are given. */
  readonly manifestAnchors?: unknown;
  /** Id of the receipt that was requested; a receipt of any id may come where it is not given. */
  readonly requestedId?: string;
}

/** Findings of a check of a receipt, on three counts. */
export interface Attestation {
  readonly integrity: Count;
  readonly authenticity: Count;
  readonly anchor: AnchorCount;
}

/**
 * Checks a receipt: whether it is whole, who sealed it, and whether the chain holds it. Nothing in it is believed that
 * the sealed statement does not say or that cannot be recomputed. Runs wherever there is `fetch`; asks the chain only
 * through the endpoints of `trust.rpc`.
 *
 * @param receipt as `parseReceipt` reads it
 */
export async function verifyReceipt(receipt: unknown, trust: Trust): Promise<Attestation> {
  const read = readShape(receipt);
  if ('why' in read) return noReceipt(read.why);
  const anchor = await checkAnchor(read.receipt, trust);
  const authenticity = checkAuthenticity(read.receipt, trust, anchor.anchoredAt);
  const { manifest, manifestAnchors } = trust;
  const anchored = manifestAnchors === undefined ? [] : [await checkManifestAnchors(manifest, manifestAnchors, trust)];
  return {
    integrity: checkIntegrity(read.receipt, trust.requestedId),
    authenticity: countOf([...authenticity.checks, ...anchored], authenticity.reason),
    anchor,
  };
}

function noReceipt(reason: string): Attestation {
  const unread = { verdict: 'not-checked' as const, reason: 'What was given is no receipt.', checks: [] };
  return {
    integrity: { verdict: 'fail', reason, checks: [{ name: 'shape', verdict: 'fail', reason }] },
    authenticity: unread,
    anchor: { ...unread, ...noAnchor },
  };
}
