/** What is said of how a file came about, by terms of IPTC's list of digital source types. */
export const sourceTypes = [
  'algorithmicMedia',
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
] as const;
export type SourceType = (typeof sourceTypes)[number];

/** Who made a file, and from what it started. */
export interface Making {
  readonly provider: string | null;
  readonly capability: string | null;
  /** The kinds of source of the files that it was made from. */
  readonly from: readonly SourceType[];
}

/** What starts from something that a person may have made. */
const changes: readonly unknown[] = ['image.edit', 'image.upscale', 'video.edit'];

/**
 * What kind of source a file is. Ours computes without having learned from anything, so what it makes is what it was made
 * from: the same film in another shape keeps its own kind, and one of several parts has parts of a trained model where any
 * of them has.
 */
export function sourceOf({ provider, capability, from }: Making): SourceType {
  const isChange = changes.includes(capability);
  if (provider !== null && provider !== 'local-animatic')
    return isChange ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
  const [first = 'algorithmicMedia'] = from;
  if (isChange && from.every((one) => one === first)) return first;
  return from.every((one) => one === 'algorithmicMedia') ? 'algorithmicMedia' : 'compositeWithTrainedAlgorithmicMedia';
}
