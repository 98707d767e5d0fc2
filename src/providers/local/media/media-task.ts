import type { Aspect } from '#queues/providers.ts';
import type { SoundType } from '#src/providers/catalogue/sound-formats.ts';
import type { Size } from './frame-size.ts';

/** What a film is made of; files are paths in the folder of the task. */
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
  /** Of a film that takes what its words need: it is no shorter than this many seconds. */
  readonly leastSeconds: number;
  readonly mostSeconds: number;
  readonly voice: string | null;
  readonly language: string | null;
  /** Whose words these are: the film is then a card with this name. */
  readonly speaker: string | null;
  readonly narrates: boolean;
  /** Burns captions in; they come as a file of their own too. */
  readonly captions: boolean;
  readonly images: readonly string[];
  readonly narration: string | null;
  /** When each word of the narration is said, as a file of JSON; null where its maker does not say. */
  readonly words: string | null;
  readonly music: string | null;
  /** What the maker has to say about the request already. */
  readonly notes: readonly string[];
}

/** How a film gets into a frame of another shape. */
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
  /** What it is to become. */
  readonly mediaType: SoundType;
}

/** Which packages cannot be used, and why. */
export interface CheckTask {
  readonly kind: 'check';
}

/** What is done with FFmpeg, in a process of its own. */
export type MediaTask = FilmTask | ReframeTask | UpscaleTask | ConvertTask | CheckTask;

/** Something that was made, as a file or as text. */
export interface MediaFile {
  readonly name: string;
  readonly kind: 'image' | 'video' | 'audio' | 'text' | 'data';
  readonly mediaType: string;
  readonly content: { readonly file: string } | { readonly text: string } | { readonly bytes: Uint8Array };
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly thumbnail?: string;
}

/** What a task has made, and what it has to say of that: what was left out or is otherwise than asked, in sentences. */
export interface MadeMedia {
  readonly files: readonly MediaFile[];
  readonly notes: readonly string[];
}

export type Tell = (stage: string, fraction?: number) => void;
