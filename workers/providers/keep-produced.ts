import type { Static } from 'typebox';
import type { AssetRef, generate } from '#queues/providers.ts';
import { LeaveCallOpen } from '#src/governance/calls/paying-call.ts';
import type { Generated } from '#src/providers/catalogue/adapter.ts';
import type { Run } from '#workers/run/processor.ts';
import { inputIds } from './inputs-of.ts';
import type { Parts } from './parts.ts';

/** The bytes are made, and could not be kept: `cause` says why. No fault of their provider. */
export class NotKept extends LeaveCallOpen {
  override readonly name = 'NotKept';
}

/**
 * Keeps what a provider has made as assets of the job, under the requested name; once, however often it is
 * repeated. Answers them in the order in which they were made.
 *
 * @throws NotKept
 */
export async function keepProduced(
  { keepAsset }: Pick<Parts, 'keepAsset'>,
  { payload, job, context }: Pick<Run<typeof generate>, 'payload' | 'job' | 'context'>,
  provider: string,
  { produced }: Pick<Generated, 'produced'>,
): Promise<Static<typeof AssetRef>[]> {
  const { capability, surface, request, name: wanted } = payload;
  const origin = { owner: job.owner, job: job.id, capability, provider, surface, madeFrom: inputIds(request) };
  const shown = new Set(produced.map(({ thumbnail }) => thumbnail));
  const kept = new Map<string, Static<typeof AssetRef>>();
  try {
    // one after the other: what shows another comes before it
    for (const one of produced.toSorted((a, b) => Number(shown.has(b.name)) - Number(shown.has(a.name)))) {
      const thumbnailId = one.thumbnail === undefined ? null : (kept.get(one.thumbnail)?.id ?? null);
      const assetName = assetNameOf(wanted, one.name, produced);
      const asset = await keepAsset(context, { ...origin, name: assetName, produced: one, thumbnailId });
      const { id, name, kind, mediaType } = asset;
      kept.set(one.name, { id, name, kind, mediaType });
    }
    return produced.map(({ name }) => kept.get(name)).filter((asset) => asset !== undefined);
  } catch (error) {
    throw new NotKept('what a provider has made could not be kept', { cause: error });
  }
}

/** The first product has the requested name; pictures in a row their numbers; the rest what they are. */
function assetNameOf(wanted: string, name: string, produced: Generated['produced']): string {
  if (name === produced[0]?.name && !/-\d+$/.test(name)) return wanted;
  const number = /-(\d+)$/.exec(name)?.[1];
  return number === undefined ? `${wanted}-${name}` : `${wanted}-${number}`;
}
