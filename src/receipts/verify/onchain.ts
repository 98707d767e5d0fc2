import type { Rpc } from '#src/lib/json-rpc.ts';
import type { Anchor } from '#src/receipts/format/receipt-schema.ts';
import type { Verdict } from './check.ts';
import { type ChainAnswer, type ChainTransaction, type Finality, leastOf, type ReadChain } from './read-chain.ts';

/** Answers of the endpoints about an anchor. */
export interface OnChain {
  readonly verdict: Verdict;
  readonly reason: string;
  /** Finality of the transaction, by the least of the endpoints; null unless it passes. */
  readonly finality: Finality | null;
  /** The transaction's calldata as read back from the chain, if it was. */
  readonly calldata: string | null;
  /** Time of the block, RFC 3339; null unless it passes. */
  readonly blockTime: string | null;
}

/**
 * Asks every endpoint whether the canonical chain holds the transaction of an anchor, with this root as its calldata.
 * All must agree: one that contradicts is not outvoted, and one that cannot be reached leaves the question open.
 *
 * @param read may remember what an endpoint said of a transaction; the comparison with the anchor is made here, every
 *   time
 */
export async function askChain(anchor: Anchor, root: string, rpcs: readonly Rpc[], read: ReadChain): Promise<OnChain> {
  const answers = await Promise.all(rpcs.map(async (rpc) => await askOne(anchor, root, rpc, read)));
  const [first] = answers;
  if (first === undefined) return open('The chain was not asked: no endpoint was given.');
  const bad = answers.find(({ verdict }) => verdict === 'fail') ?? answers.find(({ verdict }) => verdict !== 'pass');
  if (bad) return bad;
  const times = new Set(answers.map(({ blockTime }) => blockTime));
  if (times.size > 1) {
    return {
      ...failed(`The endpoints disagree about the time of block ${anchor.block.number}.`),
      calldata: first.calldata,
    };
  }
  const who = rpcs.map(({ name }) => name).join(' and ');
  return {
    ...first,
    finality: leastOf(answers.map(({ finality }) => finality)),
    reason: `${who}: block ${anchor.block.number} holds the transaction, and its calldata is ${whatRoot(anchor)}.`,
  };
}

/** The root that calldata is compared with, in words: of one receipt, or of the batch that it is in. */
export const whatRoot = ({ proof: { size } }: Anchor): string =>
  size === 1 ? 'the root of the receipt' : `the root of the batch of ${size} that the receipt’s root folds to`;

const open = (reason: string): OnChain => ({ ...failed(reason), verdict: 'not-checked' });

function failed(reason: string, calldata: string | null = null): OnChain {
  return { verdict: 'fail', reason, finality: null, calldata, blockTime: null };
}

async function askOne(anchor: Anchor, root: string, rpc: Rpc, read: ReadChain): Promise<OnChain> {
  const judged = (answer: ChainAnswer) => judge(anchor, root, rpc.name, answer);
  try {
    return judged(await read(anchor.tx, rpc, (answer) => judged(answer).verdict === 'pass'));
  } catch (error) {
    return open(error instanceof Error ? error.message : String(error));
  }
}

function judge(anchor: Anchor, root: string, name: string, { chain, height, transaction }: ChainAnswer): OnChain {
  if (chain !== anchor.chain) return open(`${name} is an endpoint of the chain ${chain}, expected ${anchor.chain}.`);
  // a final block stays where it is, however far the endpoint has come since
  if (height < anchor.block.number && transaction?.finality !== 'finalized') {
    return open(
      `${name} knows the chain up to block ${height}, expected at least ${anchor.block.number}: it is behind, or its chain has been lost.`,
    );
  }
  if (transaction === null) return failed(`${name}: expected the transaction ${anchor.tx}, got none.`);
  const { calldata, block, finality } = transaction;
  const why = compare(anchor, root, transaction);
  if (why !== null || block === null) return failed(`${name}: ${why}`, calldata || null);
  const blockTime = new Date(Number(block.timestamp) * 1_000).toISOString();
  return { verdict: 'pass', reason: '', finality, calldata, blockTime };
}

/** The first thing in which the chain differs from the anchor, as a sentence; null where nothing does. */
function compare(anchor: Anchor, root: string, { receipt, block, ...transaction }: ChainTransaction): string | null {
  if (receipt === null) return `expected the transaction ${anchor.tx} to be carried out, got no receipt of it.`;
  const height = `0x${anchor.block.number.toString(16)}`;
  const facts: readonly (readonly [what: string, got: string, expected: string])[] = [
    ['transaction', transaction.hash, anchor.tx],
    ['calldata', transaction.calldata, root],
    ['sender', transaction.from, anchor.from],
    ['recipient', transaction.to, anchor.from],
    ['block of the transaction', transaction.blockHash, anchor.block.hash],
    ['height of the transaction', transaction.blockNumber, height],
    ['transaction of the receipt', receipt.hash, anchor.tx],
    ['block of the receipt', receipt.blockHash, anchor.block.hash],
    ['status', receipt.status, '0x1'],
    [`hash of block ${anchor.block.number}`, block?.hash ?? '', anchor.block.hash],
    [`height of block ${anchor.block.number}`, block?.number ?? '', height],
  ];
  for (const [what, got, expected] of facts) {
    if (got !== expected) return `${what}: expected ${expected}, got ${got === '' ? 'none' : got}.`;
  }
  if (block?.lists !== true) return `block ${anchor.block.number} does not list the transaction.`;
  return /^0x[0-9a-f]{1,10}$/.test(block.timestamp) ? null : 'expected the time of the block, got none.';
}
