import { estimateSpeechSeconds } from '#src/lib/text/speech-length.ts';
import type { Aspect } from './channel-formats.ts';
import { readFilmScript } from './film-script.ts';
import { DEFAULT_SECONDS, type Formats } from './formats.ts';
import type { Mode } from './words.ts';

/** One call of a provider that a plan needs, before a provider is chosen. */
export interface ShapedStep {
  /** Names it within the plan, and what it makes. */
  readonly step: string;
  readonly capability: string;
  readonly after: readonly string[];
  readonly request: {
    readonly prompt: string;
    readonly script?: string;
    readonly title?: string;
    readonly aspect?: Aspect;
    readonly seconds?: number;
    readonly isLengthOpen?: boolean;
    readonly withoutText?: boolean;
    readonly isSilent?: boolean;
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

/** Steps of a brief of each mode; films and avatars once for each aspect ratio. */
const recipes: Readonly<Record<Mode, readonly Maker[]>> = {
  video: ['image', 'narration', 'music', 'film'],
  avatar: ['narration', 'avatar'],
  persona: ['image', 'narration', 'avatar'],
  voice: ['narration'],
  campaign: ['image', 'narration', 'music', 'film'],
  publish: ['image', 'film'],
};

const feeding: ReadonlySet<Maker> = new Set(['image', 'narration', 'music']);

/** Longest film that is planned, in seconds. */
export const MOST_FILM_SECONDS = 120;
/** Seconds around a film's narration: a moment before and after it, and a card where it has a title. */
const AROUND_NARRATION = 0.65;
const CARD_SECONDS = 1.8;

/** Seconds that a brief's narration is estimated to take; null in modes that have none. */
export function narrationSeconds({ mode, prompt }: Pick<ShapedBrief, 'mode' | 'prompt'>): number | null {
  return recipes[mode].includes('narration') ? estimateSpeechSeconds(readFilmScript(prompt).spoken) : null;
}

/** Seconds that a brief's films take to be as long as their narration; what is usual where there is none. */
export function openLength(brief: ShapedBrief): number {
  const spoken = narrationSeconds(brief);
  if (spoken === null) return DEFAULT_SECONDS;
  const card = brief.title !== null && brief.mode !== 'avatar' && brief.mode !== 'persona' ? CARD_SECONDS : 0;
  return Math.min(MOST_FILM_SECONDS, Math.max(DEFAULT_SECONDS, Math.ceil(spoken + AROUND_NARRATION + card)));
}

/** Lists the calls that a brief needs, each after the ones that feed it. */
export function shapeSteps(brief: ShapedBrief, formats: Formats): readonly ShapedStep[] {
  const { mode, title } = brief;
  const recipe = recipes[mode];
  const { shown, spoken } = readFilmScript(brief.prompt);
  const common = { prompt: shown, ...(title !== null && { title }) };
  const { resolution } = formats;
  const isOpen = formats.requested.seconds === null;
  const length = { seconds: isOpen ? openLength(brief) : formats.seconds, ...(isOpen && { isLengthOpen: true }) };
  const fed = recipe.filter((maker) => feeding.has(maker));
  return recipe.flatMap((maker): readonly ShapedStep[] => {
    if (maker === 'image') {
      const aspects = mode === 'campaign' ? formats.aspects : formats.aspects.slice(0, 1);
      return aspects.map((aspect) => ({
        step: aspects.length === 1 ? 'image' : `image-${nameOf(aspect)}`,
        capability: 'image.generate',
        after: [],
        // they all go into a film, which lays the words over them
        request: { ...common, aspect, resolution, count: framesOf(mode, shown), withoutText: true },
      }));
    }
    if (maker === 'narration')
      return [{ step: 'narration', capability: 'tts.synthesize', after: [], request: { ...common, prompt: spoken } }];
    if (maker === 'music')
      return [
        {
          step: 'music',
          capability: 'music.generate',
          after: [],
          request: { ...common, seconds: length.seconds },
        },
      ];
    return formats.aspects.map((aspect) => ({
      step: `${maker === 'film' ? 'video' : 'avatar'}-${nameOf(aspect)}`,
      capability: maker === 'film' ? 'video.generate' : 'avatar.talking-head-text',
      after: fed.map((one) =>
        one === 'image' && mode === 'campaign' && formats.aspects.length > 1 ? `image-${nameOf(aspect)}` : one,
      ),
      request: {
        ...common,
        ...(spoken !== shown && { script: spoken }),
        // a voice is approved, and so requested, or there is none
        ...(!recipe.includes('narration') && { isSilent: true }),
        aspect,
        ...length,
        resolution,
      },
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
