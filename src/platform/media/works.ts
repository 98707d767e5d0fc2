import { audioWorks } from './audio-works.ts';
import { filmWorks } from './film-works.ts';
import { imageWorks } from './image-works.ts';
import type { MediaWork } from './media-work.ts';

/** Everything that media providers do here, by path: for routes, and for lines of batches. */
export const mediaWorks: readonly MediaWork[] = [...audioWorks, ...imageWorks, ...filmWorks];
