import { textLanguage } from '#src/lib/text/text-language.ts';
import { localProvider } from '#src/providers/catalogue/local-provider.ts';
import { glyphWarnings } from '#src/providers/local/fonts/missing-glyphs.ts';
import { frameSize } from '#src/providers/local/media/frame-size.ts';
import { differences, type MadeShape } from '#src/studio/domain/compare-made.ts';
import { readFilmScript } from '#src/studio/domain/film-script.ts';
import type { Formats } from '#src/studio/domain/formats.ts';
import { MOST_FILM_SECONDS, narrationSeconds } from '#src/studio/domain/shape-steps.ts';
import type { BriefBody, PlanStep } from '#src/studio/model/bodies.ts';

/** What a film has around its narration, in seconds. */
const AROUND = 0.65;
const films: ReadonlySet<string> = new Set(['video.generate', 'avatar.talking-head-text']);

interface Planned {
  readonly brief: Pick<BriefBody, 'mode' | 'prompt' | 'title'>;
  readonly formats: Formats;
  readonly steps: readonly PlanStep[];
}

/**
 * What whoever plans a brief has to know: what of it was not understood, what will be made otherwise than was asked for, and
 * what cannot be drawn or read aloud. The same sentences stand in the plan, its dry run and its render.
 */
export async function planWarnings({ brief, formats, steps }: Planned): Promise<readonly string[]> {
  const script = readFilmScript(brief.prompt);
  const narration = narrationSeconds(brief);
  const made = steps.filter(({ capability }) => films.has(capability)).map((step) => plannedShape(step, narration));
  const isDrawnHere = steps.some(({ capability, primary }) => films.has(capability) && isLocal(primary));
  const isReadHere = steps.some(({ capability, primary }) => capability === 'tts.synthesize' && isLocal(primary));
  return [
    ...formats.warnings,
    ...script.warnings,
    ...narrationWarnings(narration),
    ...differences(formats, made, narration, 'planned'),
    ...(isDrawnHere ? await glyphWarnings(`${brief.title ?? ''} ${script.spoken}`) : []),
    ...(isReadHere && textLanguage(script.spoken) === 'ja' && /\p{Script=Han}/u.test(script.spoken)
      ? [
          'The Japanese voice of this machine cannot read kanji and spells them out; write them in kana, or use a speech provider.',
        ]
      : []),
  ];
}

/** A film as its step will make it: here it grows with its narration, another provider makes what it is asked for. */
function plannedShape({ step, request, primary }: PlanStep, narration: number | null): MadeShape {
  const { aspect = '16:9', resolution = 720, seconds = null } = request;
  const needed = narration === null || !isLocal(primary) ? 0 : Math.min(MOST_FILM_SECONDS, narration + AROUND);
  return { name: step, ...frameSize(aspect, resolution), seconds: seconds && Math.max(seconds, needed) };
}

function narrationWarnings(seconds: number | null): readonly string[] {
  if (seconds === null || seconds + AROUND <= MOST_FILM_SECONDS) return [];
  return [
    `The narration is estimated at ${Math.round(seconds)} s and a film is at most ${MOST_FILM_SECONDS} s: about ${Math.round(seconds + AROUND - MOST_FILM_SECONDS)} s of it will not be heard. Shorten the text.`,
  ];
}

const isLocal = ({ provider }: PlanStep['primary']): boolean => provider === localProvider.id;
