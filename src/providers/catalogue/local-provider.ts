import type { MediaCapability } from '#queues/providers.ts';
import type { Offered, Provider } from './catalogue.ts';

/** Longest film, speech and music, in seconds. */
const MOST_SECONDS = 120;
const free = { perCall: 0 };

/** Pixels of the short side: of films, of pictures, and of pictures that are made larger. */
const film = { mostShortSide: 1_080 };
const picture = { mostShortSide: 2_160 };

function offered(model: string, latency: Offered['latency'], rest: Partial<Offered> = {}): Offered {
  return { model, price: free, latency, quality: 0.3, limits: { seconds: MOST_SECONDS }, ...rest };
}

/** Latencies are of two cores at 720 lines, as bench/load/animatic.ts measures them. */
const capabilities: Partial<Record<MediaCapability, Offered>> = {
  'image.generate': offered('storyboard-frame', { base: 0.5 }, { limits: {}, parameters: picture }),
  'image.upscale': offered('lanczos', { base: 2 }, { limits: {}, parameters: picture }),
  'tts.synthesize': offered('espeak-ng', { base: 1, perSecond: 0.05 }, { limits: { seconds: 600, characters: 5_000 } }),
  'music.generate': offered('score', { base: 0.5, perSecond: 0.05 }),
  'video.generate': offered('animatic', { base: 2, perSecond: 0.5 }, { parameters: film }),
  'video.from-image': offered('animatic', { base: 2, perSecond: 0.5 }, { parameters: film }),
  'video.edit': offered('reframe', { base: 2, perSecond: 0.5 }, { limits: { seconds: 300 }, parameters: film }),
  'avatar.talking-head-text': offered('speaker-card', { base: 2, perSecond: 0.5 }, { parameters: film, quality: 0.2 }),
};

/** Provider that makes previews on this machine, for nothing. It is in every catalogue. */
export const localProvider: Provider = {
  id: 'local-animatic',
  title: 'Local animatic',
  style: 'local-animatic',
  capabilities,
  concurrency: 2,
  idempotent: true,
  timeoutSeconds: 900,
};
