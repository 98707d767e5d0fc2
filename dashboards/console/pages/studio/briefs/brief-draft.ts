import type { Channel, Mode } from '#console/pages/studio/parts/studio-types.ts';

export const aspects = ['16:9', '9:16', '1:1', '4:5'] as const;
export type Aspect = (typeof aspects)[number];

/** Pixels of the short side, as people say them. */
export const resolutions = ['144', '360', '480', '720', '1080'] as const;

/** A brief while it is written. */
export interface BriefDraft {
  readonly mode: Mode;
  readonly title: string;
  readonly prompt: string;
  /** None: those of the channels, else 16:9. */
  readonly aspects: readonly Aspect[];
  readonly resolution: string;
  readonly seconds: number;
  readonly channels: readonly Channel[];
  readonly managedByPlatform: boolean;
}

export const emptyDraft: BriefDraft = {
  mode: 'video',
  title: '',
  prompt: '',
  aspects: [],
  resolution: '720',
  seconds: 6,
  channels: [],
  managedByPlatform: true,
};

/** The formats of a draft in the words that a brief names them by: `9:16 720p 6s`. */
export function formatsOf({ aspects: named, resolution, seconds }: BriefDraft): readonly string[] {
  const size = `${resolution}p ${seconds}s`;
  return named.length === 0 ? [size] : named.map((aspect) => `${aspect} ${size}`);
}
