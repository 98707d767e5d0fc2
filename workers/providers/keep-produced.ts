import type { Static } from 'typebox';
import type { AssetRef, generate } from '#queues/providers.ts';
import type { Generated, Produced } from '#src/providers/adapter.ts';
import type { Run } from '#workers/processor.ts';
import type { Parts } from './parts.ts';

/** The bytes are made, and could not be kept: `cause` says why. No fault of their provider. */
export class NotKept extends Error {
  override readonly name = 'NotKept';
}

/**
 * Keeps what a provider has made as assets of the job, under the name that was asked for, pictures that show others before
 * those; once, however often it is repeated. Answers them in the order in which they were made.
 *
 * @throws NotKept
 */
export async function keepProduced(
  { keepAsset }: Pick<Parts, 'keepAsset'>,
  { payload, job, context }: Pick<Run<typeof generate>, 'payload' | 'job' | 'context'>,
  provider: string,
  { produced }: Pick<Generated, 'produced'>,
): Promise<Static<typeof AssetRef>[]> {
  const { capability, surface, name: wanted } = payload;
  const kept = new Map<string, Static<typeof AssetRef>>();
  const keep = async (one: Produced) => {
    const thumbnailId = one.thumbnail === undefined ? undefined : kept.get(one.thumbnail)?.id;
    const asset = await keepAsset(context, {
      owner: job.owner,
      job: job.id,
      name: produced.length === 1 ? wanted : `${wanted}-${one.name}`,
      produced: one,
      capability,
      provider,
      surface,
      ...(thumbnailId !== undefined && { thumbnailId }),
    });
    const { id, name, kind, mediaType } = asset;
    kept.set(one.name, { id, name, kind, mediaType });
  };
  const shown = new Set(produced.map(({ thumbnail }) => thumbnail));
  try {
    for (const one of produced) if (shown.has(one.name)) await keep(one);
    for (const one of produced) if (!kept.has(one.name)) await keep(one);
  } catch (error) {
    throw new NotKept('what a provider has made could not be kept', { cause: error });
  }
  return produced.map(({ name }) => kept.get(name)).filter((asset) => asset !== undefined);
}
