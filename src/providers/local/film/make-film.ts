import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { textLanguage } from '#src/lib/text/text-language.ts';
import type { Size } from '#src/providers/local/media/frame-size.ts';
import { type Av, mediaPackage, packageReason } from '#src/providers/local/media/media-packages.ts';
import type { FilmTask, MadeFile, MadeMedia, OnProgress } from '#src/providers/local/media/media-task.ts';
import { openDrawing } from '#src/providers/local/picture/draw.ts';
import type { Stereo } from '#src/providers/local/sound/score.ts';
import { openSpeaker } from '#src/providers/local/sound/speech.ts';
import { type SpokenWord, webVtt } from '#src/providers/local/text/captions.ts';
import { cleanLine, cleanText } from '#src/providers/local/text/clean-text.ts';
import { hasWords } from '#src/providers/local/text/picture-words.ts';
import { openFilmWriter } from './film-writer.ts';
import { followNarration } from './follow-narration.ts';
import { inspectedFiles } from './inspect-film.ts';
import { readPicture, readSound } from './media-input.ts';
import { openPainter } from './painter.ts';
import { type Script, writeScript } from './script.ts';
import { levelAt, narrationOf, openSoundtrack } from './soundtrack.ts';
import { FRAMES_PER_SECOND } from './timeline.ts';

/** Makes a film frame by frame, and what belongs to it: a thumbnail, captions, and the storyboard with its notes. */
export async function makeFilm(task: FilmTask, onProgress: OnProgress): Promise<MadeMedia> {
  const av = await mediaPackage('node-av');
  const { folder, title, prompt, speaker } = task;
  const drawing = await openDrawing({ texts: [title, prompt, speaker ?? ''].map(cleanText), folder });
  onProgress('script');
  const sound = async (file: string | null, what: string) =>
    file === null ? null : await readSound(av, file, what, task.mostSeconds);
  const spoken = await sound(task.narration, 'a narration');
  const recording = spoken === null ? null : mono(spoken);
  const music = await sound(task.music, 'music');
  const pictures = await Promise.all(
    task.images.map(async (path) => ({ path, hasWords: hasWords(await readFile(path)) })),
  );
  const script = await scriptOf(task, recording);
  const narration = narrationOf(script, recording);
  const paint = openPainter({
    script,
    drawing,
    seed: task.seed,
    title: cleanLine(title),
    size: task.size,
    speaker: task.speaker,
    captions: task.captions,
    inputPicture: pictureOf(av, pictures, script),
    level: (frame) => levelAt(narration, frame),
  });
  const play = openSoundtrack({ seed: task.seed, narration, music });
  const path = join(task.folder, 'film.mp4');
  using writer = await openFilmWriter(av, path, task.size, true);
  // a frame is painted while the frame before it is encoded, from the painter's other canvas
  let encoding = Promise.resolve();
  for (let frame = 0; frame < script.frames; frame++) {
    const picture = await paint(frame);
    await encoding;
    encoding = writer.picture(picture);
    writer.sound(play(frame));
    if (frame % FRAMES_PER_SECOND === 0) onProgress('render', frame / script.frames);
  }
  await encoding;
  await writer.finish();
  const worded = pictures.filter(({ hasWords: drawn }) => drawn).length;
  const notes =
    worded === 0
      ? script.notes
      : [
          ...script.notes,
          `${worded} of ${pictures.length} pictures have words drawn in already, so none are laid over them; the captions are in their own file.`,
        ];
  return { files: filesOf(av, path, task, { ...script, notes }), notes };
}

function mono([left, right]: Stereo): Float32Array {
  return Float32Array.from(left, (sample, index) => (sample + (right[index] ?? 0)) / 2);
}

async function scriptOf(task: FilmTask, recording: Float32Array | null): Promise<Script> {
  if (recording !== null) return followNarration(task, { samples: recording, words: await wordsOf(task.words) });
  if (!task.narrates) return writeScript(task, null);
  const reason = await packageReason('@echogarden/espeak-ng-emscripten');
  // without its words a speaker's film says nothing; any other is one without a narration
  if (reason !== null && task.speaker === null) {
    return writeScript({ ...task, notes: [...task.notes, `The film has no speech: ${reason}`] }, null);
  }
  const speaker = await openSpeaker(task.voice, task.language ?? textLanguage(task.prompt));
  const wanted = task.voice ?? task.language;
  const isOther = wanted !== null && !speaker.voice.startsWith(wanted.toLowerCase().split('-')[0] ?? '');
  const notes = isOther ? [...task.notes, `There is no voice for ${wanted}; ${speaker.voice} speaks.`] : task.notes;
  return writeScript({ ...task, notes }, speaker);
}

/**
 * Reads the times of a narration's words, as the speech of this machine writes them; null for a file in another form.
 */
async function wordsOf(path: string | null): Promise<readonly SpokenWord[] | null> {
  if (path === null) return null;
  const file: unknown = JSON.parse(await readFile(path, 'utf8'));
  return checkWords.Check(file) && file.words.length > 0 ? file.words : null;
}

const checkWords = Compile(
  Type.Object({
    words: Type.Array(
      Type.Object({
        text: Type.String(),
        from: Type.Number({ minimum: 0 }),
        to: Type.Number({ minimum: 0 }),
        isGlued: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
);

interface InputPicture {
  readonly path: string;
  readonly hasWords: boolean;
}

/**
 * Places the input pictures in the shots, one after the other, and from the first again; a title keeps its own where it
 * can.
 */
function pictureOf(av: Av, pictures: readonly InputPicture[], { shots }: Script) {
  const titles = shots[0]?.kind === 'title' ? 1 : 0;
  return async (shot: number, size: Size) => {
    const picture = pictures[Math.max(0, shot - titles) % pictures.length];
    if (picture === undefined) return null;
    return { planes: await readPicture(av, picture.path, 'a picture', size), hasWords: picture.hasWords };
  };
}

function filesOf(av: Av, path: string, task: FilmTask, { shots, cues, notes, frames, narration }: Script): MadeFile[] {
  const storyboard = {
    title: task.title,
    seconds: frames / FRAMES_PER_SECOND,
    shots: shots.map(({ kind, text, from, frames: length }) => ({
      kind,
      text,
      from: from / FRAMES_PER_SECOND,
      seconds: length / FRAMES_PER_SECOND,
    })),
    captions: cues,
    ...(narration && { narration }),
    notes,
  };
  return [
    ...inspectedFiles(av, path),
    { name: 'captions', kind: 'text', mediaType: 'text/vtt', content: { text: webVtt(cues, notes) } },
    {
      name: 'storyboard',
      kind: 'data',
      mediaType: 'application/json',
      content: { text: `${JSON.stringify(storyboard, null, 2)}\n` },
    },
  ];
}
