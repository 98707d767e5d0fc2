import { microUsd } from '#src/lib/money.ts';
import { textLanguage } from '#src/lib/text/text-language.ts';
import { localProvider } from '#src/providers/catalogue/local-provider.ts';
import { glyphWarnings } from '#src/providers/local/fonts/missing-glyphs.ts';
import { frameSize } from '#src/providers/local/media/frame-size.ts';
import { differences, type MadeShape } from '#src/studio/domain/compare-made.ts';
import { readFilmScript } from '#src/studio/domain/film-script.ts';
import type { Formats } from '#src/studio/domain/formats.ts';
import { MOST_FILM_SECONDS, narrationSeconds } from '#src/studio/domain/shape-steps.ts';
import type { BriefBody, PlanStep, Routed } from '#src/studio/model/bodies.ts';
import { underCeiling } from './under-ceiling.ts';

/** Seconds around a film's narration. */
const AROUND = 0.65;
const films: ReadonlySet<string> = new Set(['video.generate', 'avatar.talking-head-text']);

interface Planned {
  readonly brief: Pick<BriefBody, 'mode' | 'prompt' | 'title'>;
  readonly formats: Formats;
  readonly steps: readonly PlanStep[];
  /** Dollars; null where the plan has no budget. */
  readonly budgetUsd: number | null;
}

/** A step, and the one of its providers that is looked at. */
interface Making {
  readonly step: PlanStep;
  readonly maker: Routed;
}

/**
 * Warns the author of a plan: what of the brief was not understood, what will be made otherwise than requested, and
 * what cannot be drawn or read aloud. A warning about a step holds for the provider that makes it under the budget; one
 * that holds only where this machine stands in for it says so. The same sentences are in the plan, its dry run and its
 * render.
 */
export async function planWarnings({ brief, formats, steps, budgetUsd }: Planned): Promise<readonly string[]> {
  const { warnings: unread, spoken } = readFilmScript(brief.prompt);
  const narration = narrationSeconds(brief);
  const isSpeech = brief.mode === 'voice';
  const said = async (makings: readonly Making[]) => [
    ...differences(formats, shapesOf(brief, makings, narration), isSpeech ? null : narration, 'planned'),
    ...(await wordWarnings(`${brief.title ?? ''} ${spoken}`, spoken, makings)),
  ];
  const { routes } = underCeiling(steps, budgetUsd === null ? Number.POSITIVE_INFINITY : microUsd(budgetUsd));
  const legs = steps.map((step) => ({ step, route: routes.get(step.step) ?? [step.primary] }));
  const usual = await said(legs.map(({ step, route: [maker = step.primary] }) => ({ step, maker })));
  const local = await said(
    legs.map(({ step, route }) => ({ step, maker: route.find(isLocal) ?? route[0] ?? step.primary })),
  );
  return [
    ...formats.warnings,
    ...unread,
    ...(isSpeech ? [] : narrationWarnings(narration)),
    ...usual,
    ...local
      .filter((sentence) => !usual.includes(sentence))
      .map((sentence) => `Where ${localProvider.id} has to stand in for another provider: ${sentence}`),
  ];
}

/** Lists the planned films, and the speech of a mode that makes nothing else. */
function shapesOf(
  { mode }: Pick<BriefBody, 'mode'>,
  makings: readonly Making[],
  narration: number | null,
): readonly MadeShape[] {
  if (mode === 'voice') return [{ name: 'narration', width: null, height: null, seconds: narration }];
  return makings.filter(({ step }) => films.has(step.capability)).map((making) => plannedShape(making, narration));
}

/** Warns of what the fonts and voices of this machine change in the words, where it draws or reads them. */
async function wordWarnings(drawn: string, spoken: string, makings: readonly Making[]): Promise<readonly string[]> {
  const isDrawnHere = makings.some(({ step, maker }) => films.has(step.capability) && isLocal(maker));
  const isReadHere = makings.some(({ step, maker }) => step.capability === 'tts.synthesize' && isLocal(maker));
  return [
    ...(isDrawnHere ? await glyphWarnings(drawn) : []),
    ...(isReadHere && textLanguage(spoken) === 'ja' && /\p{Script=Han}/u.test(spoken)
      ? [
          'The Japanese voice of this machine cannot read kanji and spells them out; write them in kana, or use a speech provider.',
        ]
      : []),
  ];
}

/** Predicts the film of a step: here it grows with its narration, another provider makes the requested length. */
function plannedShape({ step: { step, request }, maker }: Making, narration: number | null): MadeShape {
  const { aspect = '16:9', resolution = 720, seconds = null } = request;
  const needed = narration === null || !isLocal(maker) ? 0 : Math.min(MOST_FILM_SECONDS, narration + AROUND);
  return { name: step, ...frameSize(aspect, resolution), seconds: seconds && Math.max(seconds, needed) };
}

function narrationWarnings(seconds: number | null): readonly string[] {
  if (seconds === null || seconds + AROUND <= MOST_FILM_SECONDS) return [];
  return [
    `The narration is estimated at ${Math.round(seconds)} s and a film is at most ${MOST_FILM_SECONDS} s: about ${Math.round(seconds + AROUND - MOST_FILM_SECONDS)} s of it will not be heard. Shorten the text.`,
  ];
}

const isLocal = ({ provider }: Routed): boolean => provider === localProvider.id;
