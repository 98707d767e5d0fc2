import type { Hex } from 'viem';
import { AppError } from '#src/lib/errors.ts';
import { httpRpc, RpcRefusal } from '#src/lib/json-rpc.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

const ANSWER_MS = 10_000;

export type BlockTag = 'latest' | 'safe' | 'finalized';

export interface Block {
  readonly number: number;
  readonly hash: Hex;
  /** Wei of one unit of gas; 0 where the chain has none. */
  readonly baseFee: bigint;
  /** Unix seconds. */
  readonly time: number;
}

export interface TransactionReceipt {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  /** Wei paid in all, with what a rollup charges for its data. */
  readonly fee: bigint;
}

/**
 * An EVM chain, called over JSON-RPC. Every call throws AppError `unavailable` when the endpoint gives no answer, or an
 * error.
 */
export interface EvmChain {
  /** CAIP-2. */
  readonly id: string;
  readonly chainId: number;
  /** @throws AppError `invalid_configuration` when the endpoint is of another chain. */
  readonly check: () => Promise<void>;
  /** Null where the chain has no such block yet, or does not know the tag. */
  readonly block: (at: BlockTag | number) => Promise<Block | null>;
  readonly blockByHash: (hash: Hex) => Promise<Block | null>;
  readonly receipt: (transaction: Hex) => Promise<TransactionReceipt | null>;
  /** Checks whether the endpoint knows the transaction: in its pool or in a block. */
  readonly knows: (transaction: Hex) => Promise<boolean>;
  /** Transactions of the account up to that block. */
  readonly nonce: (address: Hex, at: 'latest' | number) => Promise<number>;
  /** Wei. */
  readonly balance: (address: Hex) => Promise<bigint>;
  /** Fee that the endpoint advises to pay above the base fee, in wei. */
  readonly priorityFee: () => Promise<bigint>;
  /** Gas of a transaction of the account to itself with this calldata. */
  readonly estimate: (address: Hex, data: Hex) => Promise<bigint>;
  readonly send: (raw: Hex) => Promise<void>;
}

/** The chain of the settings; null when they name no endpoint. Opens nothing: a call is one HTTP request. */
export const openChain = perContext(({ config, metrics }: Context): EvmChain | null =>
  config.ANCHOR_RPC_URL === ''
    ? null
    : chainAt(config.ANCHOR_RPC_URL, config.ANCHOR_CHAIN, (method) =>
        metrics.proofline_anchor_rpc_errors_total.inc({ method }),
      ),
);

/** The chain with this CAIP-2 id behind an HTTP endpoint. */
export function chainAt(url: string, id: string, onError: (method: string) => void = () => {}): EvmChain {
  const chainId = Number(id.replace('eip155:', ''));
  const { call } = httpRpc(url, ANSWER_MS);
  /** Sends a request and reads its answer. An answer that cannot be read counts as none. */
  const ask = async <T>(read: (answer: never) => T, method: string, ...params: readonly unknown[]): Promise<T> => {
    try {
      return read((await call(method, params)) as never);
    } catch (error) {
      onError(method);
      throw chainError(id, method, error);
    }
  };
  const block = async (at: BlockTag | number) => await ask(readBlock, 'eth_getBlockByNumber', hexOfBlock(at), false);
  return {
    id,
    chainId,
    check: async () => {
      const got = await ask(readNumber, 'eth_chainId');
      if (got === chainId) return;
      throw new AppError(
        'invalid_configuration',
        `ANCHOR_CHAIN: expected an endpoint of ${id}, got one of eip155:${got}: set ANCHOR_CHAIN or ANCHOR_RPC_URL so that they fit.`,
        { variable: 'ANCHOR_CHAIN' },
      );
    },
    // an endpoint that does not know a tag refuses it: the chain then reaches no such finality
    block: async (at) => await (at === 'safe' || at === 'finalized' ? block(at).catch(() => null) : block(at)),
    blockByHash: async (hash) => await ask(readBlock, 'eth_getBlockByHash', hash, false),
    receipt: async (transaction) => await ask(readReceipt, 'eth_getTransactionReceipt', transaction),
    knows: async (transaction) => await ask((found) => found !== null, 'eth_getTransactionByHash', transaction),
    nonce: async (address, at) => await ask(readNumber, 'eth_getTransactionCount', address, hexOfBlock(at)),
    balance: async (address) => await ask(readAmount, 'eth_getBalance', address, 'latest'),
    priorityFee: async () => await ask(readAmount, 'eth_maxPriorityFeePerGas'),
    estimate: async (address, data) => await ask(readAmount, 'eth_estimateGas', { from: address, to: address, data }),
    send: async (raw) => await ask(() => {}, 'eth_sendRawTransaction', raw),
  };
}

const hexOfBlock = (at: BlockTag | number): string => (typeof at === 'number' ? `0x${at.toString(16)}` : at);
const readNumber = (answer: Hex): number => Number(readAmount(answer));
const readAmount = (answer: Hex): bigint => BigInt(answer);

interface RpcBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly baseFeePerGas?: Hex;
}

function readBlock(block: RpcBlock | null): Block | null {
  return (
    block && {
      number: readNumber(block.number),
      hash: block.hash,
      baseFee: readAmount(block.baseFeePerGas ?? '0x0'),
      time: readNumber(block.timestamp),
    }
  );
}

interface RpcReceipt {
  readonly blockNumber: Hex | null;
  readonly blockHash: Hex | null;
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  /** OP Stack rollups. */
  readonly l1Fee?: Hex;
}

function readReceipt(receipt: RpcReceipt | null): TransactionReceipt | null {
  // some endpoints answer for a pending transaction as well
  if (!receipt?.blockNumber || !receipt.blockHash) return null;
  const gasUsed = readAmount(receipt.gasUsed);
  return {
    blockNumber: readNumber(receipt.blockNumber),
    blockHash: receipt.blockHash,
    succeeded: receipt.status === '0x1',
    gasUsed,
    fee: gasUsed * readAmount(receipt.effectiveGasPrice) + readAmount(receipt.l1Fee ?? '0x0'),
  };
}

/** Without the error as its cause: what the endpoint says may spell out its own address, in which there can be a key. */
function chainError(id: string, method: string, error: unknown): AppError {
  const said =
    error instanceof RpcRefusal ? error.said : error instanceof Error ? error.message.replace(/\.$/, '') : '';
  const reason = said.replaceAll(/https?:\/\/\S+/g, 'the endpoint').slice(0, 300);
  return new AppError(
    'unavailable',
    `The endpoint of ${id} did not answer ${method}${reason && `: ${reason}`}. The request is repeated.`,
    { chain: id, method },
  );
}
