import type { Result } from '#queues/define.ts';
import type { generate } from '#queues/providers.ts';
import { listAssetsOfJobs } from '#src/providers/assets/assets.ts';
import { differences } from '#src/studio/domain/compare-made.ts';
import { readFilmScript } from '#src/studio/domain/film-script.ts';
import { readFormats } from '#src/studio/domain/formats.ts';
import { withCalls } from '#src/studio/model/plan-assets.ts';
import type { Plan } from '#src/studio/model/store.ts';
import type { Context } from '#src/system/context.ts';

type Done = Result<typeof generate>;

/**
 * Lists the differences between the request and the films or speech of a render, by the files themselves, and the notes
 * of their makers.
 *
 * @param job the render
 */
export async function renderWarnings(
  context: Context,
  { plan }: Plan,
  job: string,
  done: ReadonlyMap<string, Done>,
): Promise<string[]> {
  const formats = readFormats(plan.targetFormats, plan.channels, readFilmScript(plan.prompt).seconds, plan.mode);
  const assets = await listAssetsOfJobs(context, await withCalls(context, job));
  const isSpeech = plan.mode === 'voice';
  const made = assets
    .filter(({ kind }) => kind === (isSpeech ? 'audio' : 'video'))
    .map(({ name, width, height, duration }) => ({ name, width, height, seconds: duration }));
  const isNarration = ({ kind, capability }: (typeof assets)[number]) =>
    kind === 'audio' && capability === 'tts.synthesize';
  const narration = isSpeech ? null : (assets.find(isNarration)?.duration ?? null);
  const notes = [...done].flatMap(([step, { notes: said = [] }]) => said.map((note) => `${step}: ${note}`));
  return [...new Set([...formats.warnings, ...differences(formats, made, narration, 'made'), ...notes])];
}
