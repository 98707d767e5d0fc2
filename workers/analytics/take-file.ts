import { readFile } from 'node:fs/promises';
import { type FeedFile, feedFiles, keepFileOutcome } from '#src/analytics/feed/feed-folder.ts';
import type { Offer, TakeOutcome } from '#src/analytics/feed/offer.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Offers the chain in a file of the feed's folder, and remembers what came of this version of it. A file that was written
 * again since it was seen is left to the job that takes it as it is now.
 *
 * @throws AppError what was wrong with the file.
 */
export async function takeFile(
  context: Context,
  { name, version }: Pick<FeedFile, 'name' | 'version'>,
  offer: Offer,
): Promise<TakeOutcome> {
  const { FEED_FOLDER, CHAIN_BODY_LIMIT_BYTES } = context.config;
  const find = () => feedFiles(FEED_FOLDER, 'chains').find((file) => file.name === name && file.version === version);
  const file = find();
  if (!file) return 'replaced';
  try {
    const bytes = await readShared(file, CHAIN_BODY_LIMIT_BYTES);
    if (!find()) return 'replaced';
    const outcome = await offer(bytes);
    await keepFileOutcome(context, file, { outcome, detail: '' });
    return outcome;
  } catch (error) {
    if (error instanceof AppError) await keepFileOutcome(context, file, { outcome: error.code, detail: error.message });
    throw error;
  }
}

async function readShared({ path, name, bytes }: FeedFile, most: number): Promise<Uint8Array<SharedArrayBuffer>> {
  if (bytes > most) {
    const message = `chains/${name}: expected at most ${most} bytes, got ${bytes}; raise CHAIN_BODY_LIMIT_BYTES if it is a chain.`;
    throw new AppError('payload_too_large', message, { max_bytes: most });
  }
  const read = await readFile(path);
  const shared = new Uint8Array(new SharedArrayBuffer(read.length));
  shared.set(read);
  return shared;
}
