import type { Static } from 'typebox';
import type { AssetRef, generate } from '#queues/providers.ts';
import type { Generated } from '#src/providers/adapter.ts';
import type { Run } from '#workers/processor.ts';
import type { Parts } from './parts.ts';

/** The bytes are made, and could not be kept: `cause` says why. No fault of their provider. */
export class NotKept extends Error {
  override readonly name = 'NotKept';
}

/**
 * Keeps what a provider has made as assets of the job, under the name that was asked for; once, however often it is
 * repeated. Answers them in the order in which they were made.
 *
 * @throws NotKept
 */
export async function keepProduced(
  { keepAssets }: Pick<Parts, 'keepAssets'>,
  { payload, job, context }: Pick<Run<typeof generate>, 'payload' | 'job' | 'context'>,
  provider: string,
  { produced }: Pick<Generated, 'produced'>,
): Promise<Static<typeof AssetRef>[]> {
  const { capability, surface, name: wanted } = payload;
  const origin = { owner: job.owner, job: job.id, capability, provider, surface };
  const nameOf = (name: string) => (produced.length === 1 ? wanted : `${wanted}-${name}`);
  try {
    const assets = await keepAssets(context, origin, produced, nameOf);
    return assets.map(({ id, name, kind, mediaType }) => ({ id, name, kind, mediaType }));
  } catch (error) {
    throw new NotKept('what a provider has made could not be kept', { cause: error });
  }
}
