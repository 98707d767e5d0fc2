import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import { type KeyManifest, type ManifestBody, versionRoot } from '#src/receipts/format/key-manifest.ts';
import { sealKeysOf } from '#src/receipts/keys/seal-keys.ts';
import type { ManifestAnchors } from '#src/receipts/verify/manifest-anchors-schema.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { anchorOf, type Leaf, putLeaf } from './anchor/leaves.ts';

/** Time between two looks at the file of the keys, which another process may rotate. */
const LOOK_MS = 1_000;

const leafOf = ({ version }: ManifestBody): Leaf => `manifest:${version}`;

/**
 * Puts the root of every version into the outbox of the anchors; those that are there already stay.
 *
 * @throws AppError `state_conflict` when the database knows another manifest: nothing of this one is put then.
 */
export async function putManifest({ db }: Pick<Context, 'db'>, { versions }: KeyManifest): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { body } of versions) await putLeaf(tx, leafOf(body), versionRoot(body));
  });
}

/** Reads the anchors of each version on the chain. */
export async function readManifestAnchors(context: Context, { versions }: KeyManifest): Promise<ManifestAnchors> {
  const anchored = versions.map(async ({ body }) => ({
    version: body.version,
    root: versionRoot(body),
    anchor: await anchorOf(context, leafOf(body)),
  }));
  return { versions: await Promise.all(anchored) };
}

/**
 * Has the manifest anchored as it is now, and again after each rotation. Every process that sees the file of the keys
 * does it; the outbox takes each version once.
 */
export function startManifestAnchors(context: Context): AsyncDisposable {
  const stop = new AbortController();
  const running = attend(context, stop.signal);
  const dispose = async () => {
    stop.abort();
    await running;
  };
  context.onClose(dispose);
  return { [Symbol.asyncDispose]: dispose };
}

async function attend(context: Context, signal: AbortSignal): Promise<void> {
  let put: KeyManifest | null = null;
  let said = '';
  while (!signal.aborted) {
    try {
      const { manifest } = await sealKeysOf(context)();
      if (manifest !== put) await putManifest(context, manifest);
      put = manifest;
      said = '';
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      // as long as it fails in the same way it is said once
      if (why !== said) await tell(context, error);
      said = why;
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}

async function tell(context: Context, error: unknown): Promise<void> {
  const isForeign = error instanceof AppError && error.code === 'state_conflict';
  if (isForeign)
    context.log.error(
      { err: error },
      'the key manifest is not the one whose versions were anchored; is SEAL_KEY_FILE another?',
    );
  else
    await logFailure(
      context,
      error,
      {},
      'the key manifest could not be put into the outbox of the anchors; it is tried again',
    );
}
