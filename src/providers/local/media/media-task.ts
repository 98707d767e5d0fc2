import type { Aspect } from '#queues/providers.ts';
import type { SoundType } from '#src/providers/catalogue/sound-formats.ts';
import type { Size } from './frame-size.ts';

/** Parts of a film; files are paths in the folder of the task. */
export interface FilmTask {
  readonly kind: 'film';
  readonly folder: string;
  /** All that is drawn and played by chance follows from it. */
  readonly seed: string;
  readonly title: string;
  /** Narration and captions; empty for none. */
  readonly prompt: string;
  readonly size: Size;
  /** Seconds; null where the film takes what its words need. */
  readonly seconds: number | null;
  /** Least seconds of a film that is as long as its words need. */
  readonly leastSeconds: number;
  readonly mostSeconds: number;
  readonly voice: string | null;
  readonly language: string | null;
  /** Name of the speaker: the film is then a card with this name. */
  readonly speaker: string | null;
  readonly narrates: boolean;
  /** Burns captions in; they come as a file of their own too. */
  readonly captions: boolean;
  readonly images: readonly string[];
  readonly narration: string | null;
  /** Times of the narration's words, as a file of JSON; null where its maker does not say them. */
  readonly words: string | null;
  readonly music: string | null;
  /** Remarks that the maker has on the request already. */
  readonly notes: readonly string[];
}

/** Ways to fit a film into a frame of another shape. */
export const fits = ['blur', 'pad', 'crop'] as const;

export interface ReframeTask {
  readonly kind: 'reframe';
  readonly folder: string;
  readonly video: string;
  /** null keeps the shape that it has. */
  readonly aspect: Aspect | null;
  /** Pixels of the short side. */
  readonly shortSide: number;
  readonly fit: (typeof fits)[number];
  /** Seconds. */
  readonly start: number;
  readonly seconds: number;
}

export interface UpscaleTask {
  readonly kind: 'upscale';
  readonly folder: string;
  readonly image: string;
  /** Pixels of the short side; null doubles it. */
  readonly shortSide: number | null;
  readonly mostShortSide: number;
}

export interface ConvertTask {
  readonly kind: 'convert';
  readonly folder: string;
  readonly sound: string;
  /** Type of sound to convert it to. */
  readonly mediaType: SoundType;
}

/** Checks which packages cannot be used, and why. */
export interface CheckTask {
  readonly kind: 'check';
}

/** Task for FFmpeg, in a process of its own. */
export type MediaTask = FilmTask | ReframeTask | UpscaleTask | ConvertTask | CheckTask;

/** Something that was made, as a file or as text. */
export interface MadeFile {
  readonly name: string;
  readonly kind: 'image' | 'video' | 'audio' | 'text' | 'data';
  readonly mediaType: string;
  readonly content: { readonly file: string } | { readonly text: string } | { readonly bytes: Uint8Array };
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly thumbnail?: string;
}

/** Result of a task, with remarks on it: parts left out, and differences from the request, in sentences. */
export interface MadeMedia {
  readonly files: readonly MadeFile[];
  readonly notes: readonly string[];
}

export type OnProgress = (stage: string, fraction?: number) => void;
