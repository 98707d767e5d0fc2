import { type Rpc, RpcRefusal } from '#src/lib/json-rpc.ts';

const ladder = ['included', 'safe', 'finalized'] as const;
/** Finality of a block, by what an endpoint says: the last is for good. */
export type Finality = (typeof ladder)[number];

/** The lesser of several; `included` of none. */
export const leastOf = (levels: readonly (Finality | null)[]): Finality =>
  ladder.find((level) => levels.includes(level)) ?? 'included';

/** A transaction as an endpoint has it. Texts are in lower case, and empty where the endpoint gave none. */
export interface ChainTransaction {
  readonly hash: string;
  readonly calldata: string;
  readonly from: string;
  readonly to: string;
  readonly blockHash: string;
  /** 0x and hexadecimal, as in the block. */
  readonly blockNumber: string;
  readonly receipt: { readonly hash: string; readonly blockHash: string; readonly status: string } | null;
  /** The block at that height of the canonical chain. */
  readonly block: {
    readonly hash: string;
    readonly number: string;
    /** Seconds since 1970, 0x and hexadecimal. */
    readonly timestamp: string;
    /** True where it lists the transaction. */
    readonly lists: boolean;
  } | null;
  readonly finality: Finality;
}

/** Answer of one endpoint about one transaction: facts of the chain, and nothing of any receipt. */
export interface ChainAnswer {
  /** CAIP-2 id of the endpoint's chain. */
  readonly chain: string;
  /** The newest block that it knows. */
  readonly height: number;
  readonly transaction: ChainTransaction | null;
}

/**
 * Reads a transaction from an endpoint. One that remembers answers gives a remembered one only where it `fits` what the
 * caller compares it with; everything else is read anew.
 *
 * @throws Error with a sentence when the endpoint does not answer in time, refuses, or answers with something else.
 */
export type ReadChain = (tx: string, rpc: Rpc, fits: (answer: ChainAnswer) => boolean) => Promise<ChainAnswer>;

/** Asks the endpoint, always. @throws as {@link ReadChain}. */
export async function readChain(tx: string, rpc: Rpc): Promise<ChainAnswer> {
  const chain = `eip155:${Number(await rpc.call('eth_chainId', []))}`;
  const height = Number(await rpc.call('eth_blockNumber', []));
  if (!Number.isSafeInteger(height)) throw new Error('expected the number of the newest block, got something else');
  const [found, receipt] = await Promise.all([
    rpc.call('eth_getTransactionByHash', [tx]),
    rpc.call('eth_getTransactionReceipt', [tx]),
  ]);
  if (found === null) return { chain, height, transaction: null };
  const number = textAt(found, 'blockNumber');
  const isMined = /^0x[0-9a-f]{1,14}$/.test(number);
  const block = isMined ? await rpc.call('eth_getBlockByNumber', [number, false]) : null;
  const transaction: ChainTransaction = {
    hash: textAt(found, 'hash'),
    calldata: textAt(found, 'input'),
    from: textAt(found, 'from'),
    to: textAt(found, 'to'),
    blockHash: textAt(found, 'blockHash'),
    blockNumber: number,
    receipt: receipt === null ? null : receiptOf(receipt),
    block: block === null ? null : blockOf(block, tx),
    finality: isMined ? await finalityOf(Number(number), rpc) : 'included',
  };
  return { chain, height, transaction };
}

function receiptOf(receipt: unknown) {
  return {
    hash: textAt(receipt, 'transactionHash'),
    blockHash: textAt(receipt, 'blockHash'),
    status: textAt(receipt, 'status'),
  };
}

function blockOf(block: unknown, tx: string) {
  return {
    hash: textAt(block, 'hash'),
    number: textAt(block, 'number'),
    timestamp: textAt(block, 'timestamp'),
    lists: listAt(block, 'transactions').includes(tx),
  };
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
