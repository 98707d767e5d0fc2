/** Origins of a file, by terms of IPTC's list of digital source types. */
export const sourceTypes = [
  'algorithmicMedia',
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
] as const;
export type SourceType = (typeof sourceTypes)[number];

/** Maker of a file, and its inputs. */
export interface FileMaking {
  readonly provider: string | null;
  readonly capability: string | null;
  /** The kinds of source of the files that it was made from. */
  readonly from: readonly SourceType[];
}

/** Capabilities that change an input which a person may have made. */
const changes: readonly unknown[] = ['image.edit', 'image.upscale', 'video.edit'];

/**
 * Classifies the source of a file. Our local provider computes without a trained model, so its result has the kind of
 * its inputs: the same film in another shape keeps its own kind, and a file of several parts has parts of a trained
 * model where any of them has.
 */
export function sourceOf({ provider, capability, from }: FileMaking): SourceType {
  const isChange = changes.includes(capability);
  if (provider !== null && provider !== 'local-animatic')
    return isChange ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
  const [first = 'algorithmicMedia'] = from;
  if (isChange && from.every((one) => one === first)) return first;
  return from.every((one) => one === 'algorithmicMedia') ? 'algorithmicMedia' : 'compositeWithTrainedAlgorithmicMedia';
}
