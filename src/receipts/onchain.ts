import type { Verdict } from './check.ts';
import type { Anchor } from './receipt-schema.ts';
import { type Rpc, RpcRefusal } from './rpc.ts';

export type Finality = 'included' | 'safe' | 'finalized';

/** What endpoints say of an anchor. */
export interface OnChain {
  readonly verdict: Verdict;
  readonly reason: string;
  /** How firm it stands, by the least of the endpoints; null unless it passes. */
  readonly finality: Finality | null;
  /** The transaction's calldata as read back from the chain, if it was. */
  readonly calldata: string | null;
  /** Time of the block, RFC 3339; null unless it passes. */
  readonly blockTime: string | null;
}

const ladder: readonly Finality[] = ['included', 'safe', 'finalized'];

/**
 * Asks every endpoint whether the canonical chain holds the transaction of an anchor, with this root as its calldata.
 * All must agree: one that contradicts is not outvoted, and one that cannot be asked leaves the question open.
 */
export async function askChain(anchor: Anchor, root: string, rpcs: readonly Rpc[]): Promise<OnChain> {
  const answers = await Promise.all(rpcs.map(async (rpc) => await askOne(anchor, root, rpc)));
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
  const finality = ladder.find((level) => answers.some((answer) => answer.finality === level)) ?? 'included';
  const who = rpcs.map(({ name }) => name).join(' and ');
  return {
    ...first,
    finality,
    reason: `${who}: block ${anchor.block.number} holds the transaction, and its calldata is the root.`,
  };
}

const open = (reason: string): OnChain => ({ ...failed(reason), verdict: 'not-checked' });

function failed(reason: string, calldata: string | null = null): OnChain {
  return { verdict: 'fail', reason, finality: null, calldata, blockTime: null };
}

async function askOne(anchor: Anchor, root: string, rpc: Rpc): Promise<OnChain> {
  try {
    const notHere = await checkPlace(anchor, rpc);
    if (notHere !== null) return open(notHere);
    const height = hexOfNumber(anchor.block.number);
    const [tx, receipt, block] = await Promise.all([
      rpc.call('eth_getTransactionByHash', [anchor.tx]),
      rpc.call('eth_getTransactionReceipt', [anchor.tx]),
      rpc.call('eth_getBlockByNumber', [height, false]),
    ]);
    const why = compare(anchor, root, { tx, receipt, block });
    const calldata = textAt(tx, 'input') || null;
    if (why !== null) return failed(`${rpc.name}: ${why}`, calldata);
    const blockTime = new Date(Number(textAt(block, 'timestamp')) * 1_000).toISOString();
    const finality = await finalityOf(anchor.block.number, rpc);
    return { verdict: 'pass', reason: '', finality, calldata, blockTime };
  } catch (error) {
    return open(error instanceof Error ? error.message : String(error));
  }
}

/** Why this endpoint cannot know about the anchor, as a sentence; null where it can. */
async function checkPlace({ chain, block }: Anchor, rpc: Rpc): Promise<string | null> {
  const id = Number(await rpc.call('eth_chainId', []));
  if (`eip155:${id}` !== chain) return `${rpc.name} is an endpoint of the chain eip155:${id}, expected ${chain}.`;
  const height = Number(await rpc.call('eth_blockNumber', []));
  if (height >= block.number) return null;
  return `${rpc.name} knows the chain up to block ${height}, expected at least ${block.number}: it is behind, or its chain has been lost.`;
}

interface Answers {
  readonly tx: unknown;
  readonly receipt: unknown;
  readonly block: unknown;
}

/** The first thing in which the chain differs from the anchor, as a sentence; null where nothing does. */
function compare(anchor: Anchor, root: string, { tx, receipt, block }: Answers): string | null {
  if (tx === null || receipt === null) return `expected the transaction ${anchor.tx}, got none.`;
  const height = hexOfNumber(anchor.block.number);
  const facts: readonly (readonly [what: string, got: string, expected: string])[] = [
    ['transaction', textAt(tx, 'hash'), anchor.tx],
    ['calldata', textAt(tx, 'input'), root],
    ['sender', textAt(tx, 'from'), anchor.from],
    ['recipient', textAt(tx, 'to'), anchor.from],
    ['block of the transaction', textAt(tx, 'blockHash'), anchor.block.hash],
    ['height of the transaction', textAt(tx, 'blockNumber'), height],
    ['transaction of the receipt', textAt(receipt, 'transactionHash'), anchor.tx],
    ['block of the receipt', textAt(receipt, 'blockHash'), anchor.block.hash],
    ['status', textAt(receipt, 'status'), '0x1'],
    [`hash of block ${anchor.block.number}`, textAt(block, 'hash'), anchor.block.hash],
    [`height of block ${anchor.block.number}`, textAt(block, 'number'), height],
  ];
  for (const [what, got, expected] of facts) {
    if (got !== expected) return `${what}: expected ${expected}, got ${got === '' ? 'none' : got}.`;
  }
  if (!listAt(block, 'transactions').includes(anchor.tx))
    return `block ${anchor.block.number} does not list the transaction.`;
  return /^0x[0-9a-f]{1,10}$/.test(textAt(block, 'timestamp')) ? null : 'expected the time of the block, got none.';
}

async function finalityOf(height: number, rpc: Rpc): Promise<Finality> {
  const [safe, finalized] = await Promise.all([heightOf('safe', rpc), heightOf('finalized', rpc)]);
  if (finalized >= height) return 'finalized';
  return safe >= height ? 'safe' : 'included';
}

/** Height of the block with this tag; -1 where the chain has no such block yet, or no such tag. */
async function heightOf(tag: 'safe' | 'finalized', rpc: Rpc): Promise<number> {
  const block = await rpc.call('eth_getBlockByNumber', [tag, false]).catch((error: unknown) => {
    if (error instanceof RpcRefusal) return null;
    throw error;
  });
  return block === null ? -1 : Number(textAt(block, 'number'));
}

const hexOfNumber = (value: number): string => `0x${value.toString(16)}`;

/** A text member of what an endpoint answered, in lower case; empty where there is none. */
function textAt(answer: unknown, name: string): string {
  const value = memberOf(answer, name);
  return typeof value === 'string' ? value.toLowerCase() : '';
}

function listAt(answer: unknown, name: string): readonly unknown[] {
  const value = memberOf(answer, name);
  return Array.isArray(value) ? value : [];
}

function memberOf(answer: unknown, name: string): unknown {
  if (typeof answer !== 'object' || answer === null) return undefined;
  return (answer as Record<string, unknown>)[name];
}
