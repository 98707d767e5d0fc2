import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { dropContent, lockContent } from './asset-content.ts';
import type { Asset } from './assets.ts';

const EVERY_MS = 600_000;
const BATCH = 200;

const Old = row(Type.Object({ id: Type.String(), sha256: Type.String() }));

/** Forgets old artefacts now and again, in one process at a time. */
export function startAssetRetention(context: Context): AsyncDisposable {
  return leadByLock(context, 'artefacts', async (signal) => {
    while (!signal.aborted) {
      await forgetAssets(context, signal).catch(
        async (error: unknown) =>
          await logFailure(context, error, {}, 'old artefacts could not be erased; it comes again'),
      );
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  });
}

/**
 * Erases the bytes of assets that are older than ARTEFACT_RETENTION_DAYS, and what writers left behind. A content stays
 * as long as a younger asset needs it; what is said of an asset stays for good, with the time at which it was erased.
 */
export async function forgetAssets(
  context: Context,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly erased: number; readonly removed: number; readonly parts: number }> {
  const { db, config, log, metrics } = context;
  let [erased, removed, failed] = [0, 0, 0];
  for (let more = true; more && failed === 0 && !signal.aborted; ) {
    const old = await db.any(sql.type(Old)`
      select id, encode(sha256, 'hex') as sha256 from assets
      where erased_at is null and created_at < now() - ${config.ARTEFACT_RETENTION_DAYS} * interval '1 day'
      order by created_at limit ${BATCH}`);
    more = old.length === BATCH;
    for (const asset of old) {
      if (signal.aborted) break;
      try {
        if (await eraseAsset(context, asset)) removed++;
        erased++;
      } catch (error) {
        // the others need not wait for it
        failed++;
        await logFailure(context, error, { asset: asset.id }, 'an old artefact could not be erased; it comes again');
      }
    }
  }
  metrics.proofline_artefacts_erased_total.inc(erased);
  const parts = await blobsOf(context).tidy();
  if (erased + parts > 0) log.info({ erased, removed, parts }, 'erased artefacts that are past their retention');
  return { erased, removed, parts };
}

/** Forgets the bytes of one asset; what is said of it stays. @returns whether its content went with it. */
export async function eraseAsset(context: Context, { id, sha256 }: Pick<Asset, 'id' | 'sha256'>): Promise<boolean> {
  return await context.db.transaction(async (tx) => {
    await lockContent(tx, sha256);
    await tx.query(sql.unsafe`update assets set erased_at = now() where id = ${id}`);
    return await dropContent(context, tx, sha256);
  });
}
