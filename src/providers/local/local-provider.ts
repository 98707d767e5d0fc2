import type { Offered, Provider } from '#src/providers/catalogue.ts';

/** Costs nothing; the figures of time are for two cores. */
const offers = (model: string, base: number, perSecond: number): Offered => ({
  model,
  price: {},
  latency: { base, perSecond },
  quality: 0.2,
  limits: { seconds: 120 },
});

/** What this machine makes by itself: previews of a brief from frames, captions, sound and narration. */
export const localProvider: Provider = {
  id: 'local-animatic',
  title: 'Local animatic',
  style: 'local-animatic',
  capabilities: {
    'image.generate': offers('storyboard', 1, 0),
    'video.generate': offers('animatic', 2, 1),
    'video.from-image': offers('pan-and-zoom', 2, 1),
    'tts.synthesize': offers('narration', 1, 0.1),
    'music.generate': offers('soundtrack', 1, 0.05),
  },
  idempotent: true,
};
