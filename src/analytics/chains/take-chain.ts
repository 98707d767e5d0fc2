import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { sharedThreads } from '#src/system/threads.ts';
import { type StoredChain, storeChain, visibleChain } from './chain-store.ts';
import type { Upload } from './read-upload.ts';

const reader = new URL('./read-upload.thread.ts', import.meta.url);

/**
 * The chain that an uploaded body holds, read in a thread (several MB are normal) and kept for its owner; or the one
 * that its owner sees, where the body names a symbol alone.
 *
 * @throws AppError `malformed_body`, `invalid_request`, `unknown_symbol`, `invalid_chain`, `no_chain`, or `unavailable`
 *   while too many wait to be read.
 */
export async function takeChain(
  context: Context,
  owner: string,
  body: Buffer,
  form: Pick<Upload, 'isCsv' | 'symbol'>,
  signal: AbortSignal,
): Promise<StoredChain> {
  const shared = new Uint8Array(new SharedArrayBuffer(body.length));
  shared.set(body);
  const { symbol, chain } = await sharedThreads(context).run<{ symbol: string; chain: Chain | null }>(
    reader,
    { ...form, body: shared },
    signal,
  );
  return chain ? await storeChain(context, owner, chain) : await mustSee(context, symbol, owner, 'own');
}

/** The chain of a symbol that an owner sees. @throws AppError `no_chain` where there is none yet. */
export async function mustSee(
  context: Context,
  symbol: string,
  owner: string,
  from: 'own' | 'feed',
): Promise<StoredChain> {
  const chain = await visibleChain(context, symbol, owner, from);
  if (chain) return chain;
  throw noChain(symbol);
}

export function noChain(symbol: string): AppError {
  return new AppError(
    'no_chain',
    `There is no chain of ${symbol} yet: upload one with POST /v1/snapshot, or load one into the feed with "proofline ingest".`,
    { symbol },
  );
}
