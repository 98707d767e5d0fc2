import type { Aspect, Formats } from './formats.ts';
import type { Mode } from './words.ts';

/** One call of a provider that a plan needs, before a provider is chosen. */
export interface ShapedStep {
  /** Names it within the plan, and what it makes. */
  readonly step: string;
  readonly capability: string;
  readonly after: readonly string[];
  readonly request: {
    readonly prompt: string;
    readonly title?: string;
    readonly aspect?: Aspect;
    readonly seconds?: number;
    readonly resolution?: number;
    readonly count?: number;
  };
}

export interface ShapedBrief {
  readonly mode: Mode;
  readonly prompt: string;
  readonly title: string | null;
}

/** Most pictures of a storyboard: each is paid for. */
const MOST_FRAMES = 4;

type Maker = 'image' | 'narration' | 'music' | 'film' | 'avatar';

/** What a brief of each mode is made of; films and avatars once for each aspect ratio. */
const recipes: Readonly<Record<Mode, readonly Maker[]>> = {
  video: ['image', 'narration', 'music', 'film'],
  avatar: ['narration', 'avatar'],
  persona: ['image', 'narration', 'avatar'],
  voice: ['narration'],
  campaign: ['image', 'narration', 'music', 'film'],
  publish: ['image', 'film'],
};

const feeding: ReadonlySet<Maker> = new Set(['image', 'narration', 'music']);

/** The calls that a brief needs, those that feed others first. */
export function shapeSteps({ mode, prompt, title }: ShapedBrief, formats: Formats): readonly ShapedStep[] {
  const recipe = recipes[mode];
  const common = { prompt, ...(title !== null && { title }) };
  const { seconds, resolution } = formats;
  const fed = recipe.filter((maker) => feeding.has(maker));
  return recipe.flatMap((maker): readonly ShapedStep[] => {
    if (maker === 'image') {
      const aspects = mode === 'campaign' ? formats.aspects : formats.aspects.slice(0, 1);
      return aspects.map((aspect) => ({
        step: aspects.length === 1 ? 'image' : `image-${nameOf(aspect)}`,
        capability: 'image.generate',
        after: [],
        request: { ...common, aspect, resolution, count: framesOf(mode, prompt) },
      }));
    }
    if (maker === 'narration') return [{ step: 'narration', capability: 'tts.synthesize', after: [], request: common }];
    if (maker === 'music')
      return [{ step: 'music', capability: 'music.generate', after: [], request: { ...common, seconds } }];
    return formats.aspects.map((aspect) => ({
      step: `${maker === 'film' ? 'video' : 'avatar'}-${nameOf(aspect)}`,
      capability: maker === 'film' ? 'video.generate' : 'avatar.talking-head-text',
      after: fed.map((one) =>
        one === 'image' && mode === 'campaign' && formats.aspects.length > 1 ? `image-${nameOf(aspect)}` : one,
      ),
      request: { ...common, aspect, seconds, resolution },
    }));
  });
}

/** Pictures that a brief takes: one for each sentence where a film is made of them, else one. */
function framesOf(mode: Mode, prompt: string): number {
  if (mode === 'persona') return 1;
  const sentences = prompt.split(/[.!?。！？]+/u).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
  return Math.min(MOST_FRAMES, Math.max(1, sentences));
}

/** `16:9` as part of a name: `16x9`. */
export function nameOf(aspect: Aspect): string {
  return aspect.replace(':', 'x');
}
