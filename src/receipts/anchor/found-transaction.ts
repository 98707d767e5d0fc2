import type { Hex } from 'viem';
import type { TransactionReceipt } from '#src/system/outside/evm-chain.ts';

export interface Found extends TransactionReceipt {
  readonly hash: Hex;
}
