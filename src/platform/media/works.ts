import { audioWorks } from './audio-works.ts';
import { filmWorks } from './film-works.ts';
import { imageWorks } from './image-works.ts';
import type { MediaWork } from './media-work.ts';

/** Everything that media providers do here, by path: for routes, and for lines of batches. */
export const mediaWorks: readonly MediaWork[] = [...audioWorks, ...imageWorks, ...filmWorks];

/** A work with what its path says beside the body. */
export interface FoundWork {
  readonly work: MediaWork;
  /** Members that the body gets from the path. */
  readonly fromPath: Readonly<Record<string, string>>;
}

/** The work of a path below `/api/v2`, by its own name or an alias; null where there is none. */
export function findMediaWork(path: string): FoundWork | null {
  const persona = /^\/personas\/([^/]+)\/video$/.exec(path)?.[1];
  const wanted = persona === undefined ? path : '/personas/{id}/video';
  const work = mediaWorks.find((one) => one.path === wanted || one.aliases.includes(wanted));
  return work ? { work, fromPath: persona === undefined ? {} : { persona } } : null;
}
