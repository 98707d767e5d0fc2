import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { foldInclusion } from '#src/lib/crypto/merkle.ts';
import type { Rpc } from '#src/lib/json-rpc.ts';
import type { Anchor, Receipt } from '#src/receipts/format/receipt-schema.ts';
import { rootOf } from '#src/receipts/format/seal.ts';
import { type Check, type Count, checked, countOf } from './check.ts';
import { askChain, whatRoot } from './onchain.ts';
import { type Finality, type ReadChain, readChain } from './read-chain.ts';

/** An account that anchors for this service, as it publishes them. */
export interface AnchorAccount {
  /** CAIP-2 id. */
  readonly chain: string;
  readonly address: string;
}

export interface AnchorTrust {
  /** null where the list is not known. */
  readonly anchors: readonly AnchorAccount[] | null;
  readonly rpc?: readonly Rpc[];
  /** Reads a transaction from an endpoint; by default anew every time. */
  readonly readChain?: ReadChain;
}

export interface AnchorCount extends Count {
  /** Finality of the block; null unless the anchor passes. */
  readonly finality: Finality | null;
  /** Calldata of the transaction as the chain returned it; null where the chain was not queried or did not have it. */
  readonly calldata: string | null;
  /** True where that calldata is `root`; null where there is no calldata to compare. */
  readonly equalsRoot: boolean | null;
  /**
   * Root that this receipt's own root, recomputed, folds to through the proof: itself, or the Merkle root of its batch.
   */
  readonly root: string | null;
  /** `direct` in a batch of one, where `root` is the receipt's own root; `merkle` where it is the root of a batch. */
  readonly inclusion: 'direct' | 'merkle' | null;
  /** Time of the block, RFC 3339; null unless the anchor passes. */
  readonly anchoredAt: string | null;
}

/** Nothing known of an anchor. */
export const noAnchor = {
  finality: null,
  calldata: null,
  equalsRoot: null,
  root: null,
  inclusion: null,
  anchoredAt: null,
};

/** Checks whether the root of this receipt is on its chain, put there by an account of this service. */
export async function checkAnchor({ statement, anchor }: Receipt, trust: AnchorTrust): Promise<AnchorCount> {
  if (anchor !== null) return await checkAnchored(rootOf(statement), anchor, trust);
  const reason = 'The receipt is not anchored yet; ask for it again later.';
  return { ...countOf([{ name: 'anchor', verdict: 'pending', reason }], ''), ...noAnchor };
}

/**
 * Checks whether a root is on its chain, put there by an account of this service.
 *
 * @param leaf computed from what is anchored, with 0x; never one that the anchor names
 */
export async function checkAnchored(leaf: string, anchor: Anchor, trust: AnchorTrust): Promise<AnchorCount> {
  const root = foldedRoot(leaf, anchor);
  const offline = [
    checked(
      'inclusion',
      root === anchor.root
        ? null
        : `expected the root to fold to ${anchor.root} through the proof, got ${root ?? 'nothing'}.`,
      anchor.proof.size === 1
        ? 'The anchored root is the receipt’s root.'
        : `The receipt is number ${anchor.proof.index + 1} of ${anchor.proof.size} under the anchored root.`,
    ),
    checked(
      'transaction',
      await checkTransaction(anchor, root),
      'The signed transaction carries the root, from the account to itself.',
    ),
    checkAccount(anchor, trust.anchors),
  ];
  const chain = await askChain(anchor, root ?? '', trust.rpc ?? [], trust.readChain ?? readChain);
  const count = countOf(
    [...offline, { name: 'chain', verdict: chain.verdict, reason: chain.reason }],
    `The calldata of ${anchor.tx} is ${whatRoot(anchor)}, in block ${anchor.block.number} of ${anchor.chain} (${chain.finality}).`,
  );
  const passes = count.verdict === 'pass';
  const { calldata } = chain;
  return {
    ...count,
    finality: passes ? chain.finality : null,
    calldata,
    equalsRoot: calldata === null ? null : calldata === root,
    root,
    inclusion: anchor.proof.size === 1 ? 'direct' : 'merkle',
    anchoredAt: passes ? chain.blockTime : null,
  };
}

/** Folds the leaf itself through the proof; never a compare with what the anchor says of itself. */
function foldedRoot(leaf: string, { proof: { index, size, path } }: Anchor): string | null {
  const folded = foldInclusion(bytesOfHex(leaf), index, size, path.map(bytesOfHex));
  return folded && prefixedHexOf(folded);
}

function checkAccount({ chain, from }: Anchor, anchors: AnchorTrust['anchors']): Check {
  const name = 'account';
  if (anchors === null)
    return {
      name,
      verdict: 'not-checked',
      reason: 'Which accounts anchor for this service is not known: no list was given.',
    };
  const isListed = anchors.some((account) => account.chain === chain && account.address.toLowerCase() === from);
  return checked(
    name,
    isListed ? null : `expected an account that anchors on ${chain}, got ${from}.`,
    `${from} anchors for this service on ${chain}.`,
  );
}

/** Why the signed transaction is not the anchor's; null where it is. Its hash covers all of it, its signature too. */
async function checkTransaction(anchor: Anchor, root: string | null): Promise<string | null> {
  // large, and of use only where there is an anchor to check
  const { keccak256, parseTransaction, recoverTransactionAddress } = await import('viem');
  const raw = anchor.rawTx as `0x02${string}`;
  const hash = keccak256(raw);
  if (hash !== anchor.tx) return `expected the transaction ${anchor.tx}, got the bytes of ${hash}.`;
  try {
    const { chainId, to, data = '0x', value = 0n } = parseTransaction(raw);
    const sender = await recoverTransactionAddress({ serializedTransaction: raw });
    const facts: readonly (readonly [what: string, got: string, expected: string])[] = [
      ['chain', `eip155:${chainId}`, anchor.chain],
      ['sender', sender.toLowerCase(), anchor.from],
      ['recipient', String(to).toLowerCase(), anchor.from],
      ['value', String(value), '0'],
      ['calldata', data, root ?? 'the root'],
    ];
    const wrong = facts.find(([, got, expected]) => got !== expected);
    return wrong ? `${wrong[0]} of the transaction: expected ${wrong[2]}, got ${wrong[1]}.` : null;
  } catch {
    // the reader's own words are about its insides; what matters is that no transaction can be read
    return 'rawTx: expected a signed transaction, got bytes that are not one.';
  }
}
