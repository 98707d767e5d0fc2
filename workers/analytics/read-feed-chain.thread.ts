import { isUtf8 } from 'node:buffer';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { threadTask } from '#src/lib/async/thread-task.ts';
import { AppError } from '#src/lib/errors.ts';

export interface ReadTask {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly symbol: MarketSymbol;
}

/** The chain in a document that a feed gave. */
export default threadTask(({ bytes, symbol }: ReadTask): Chain => {
  const buffer = Buffer.from(bytes);
  if (!isUtf8(buffer)) throw new AppError('invalid_chain', 'expected a document in UTF-8, got bytes that are not.');
  return cleanChain(readChain(buffer.toString('utf8'), symbol));
});
