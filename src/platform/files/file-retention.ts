import type { Context } from '#src/system/context.ts';
import { deleteFile, listExpiredFiles } from './file-store.ts';

const BATCH = 200;

/** Forgets files that are past their time. @returns how many */
export async function forgetFiles(context: Context, signal: AbortSignal): Promise<number> {
  let forgotten = 0;
  for (let more = true; more && !signal.aborted; ) {
    const old = await listExpiredFiles(context, BATCH);
    more = old.length === BATCH;
    // one after the other: no caller waits for it
    for (const file of old) if (!signal.aborted && (await deleteFile(context, file))) forgotten++;
  }
  if (forgotten > 0) context.log.info({ forgotten }, 'forgot files that are past their time');
  return forgotten;
}
