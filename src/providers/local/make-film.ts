import { join } from 'node:path';
import { webVtt } from './captions.ts';
import { openDrawing } from './draw.ts';
import { openFilmWriter } from './film-writer.ts';
import type { Size } from './frame-size.ts';
import { inspectFilm } from './inspect-film.ts';
import { readPicture, readSound } from './media-input.ts';
import { type Av, mediaPackage, packageReason } from './media-packages.ts';
import type { FilmTask, MediaFile, Tell } from './media-task.ts';
import { openPainter } from './painter.ts';
import type { Stereo } from './score.ts';
import { type Script, writeScript } from './script.ts';
import { levelAt, narrationOf, openSoundtrack } from './soundtrack.ts';
import { openSpeaker } from './speech.ts';
import { FRAMES_PER_SECOND } from './timeline.ts';
import { SAMPLE_RATE } from './wav.ts';

/** Makes a film frame by frame, and what belongs to it: a thumbnail, captions, and the storyboard with its notes. */
export async function makeFilm(task: FilmTask, tell: Tell): Promise<MediaFile[]> {
  const av = await mediaPackage('node-av');
  const drawing = await openDrawing();
  tell('script');
  const sound = async (file: string | null, what: string) =>
    file === null ? null : await readSound(av, file, what, task.mostSeconds);
  const given = await sound(task.narration, 'a narration');
  const music = await sound(task.music, 'music');
  const script = await scriptOf(task, given);
  const narration = narrationOf(script, given);
  const paint = openPainter({
    script,
    drawing,
    seed: task.seed,
    size: task.size,
    speaker: task.speaker,
    captions: task.captions,
    given: pictureOf(av, task, script),
    level: (frame) => levelAt(narration, frame),
  });
  const play = openSoundtrack({ seed: task.seed, narration, music });
  const path = join(task.folder, 'film.mp4');
  using writer = await openFilmWriter(av, path, task.size, true);
  // a frame is painted while the one before it is encoded, from the painter's other canvas
  let encoding = Promise.resolve();
  for (let frame = 0; frame < script.frames; frame++) {
    const picture = await paint(frame);
    await encoding;
    encoding = writer.picture(picture);
    writer.sound(play(frame));
    if (frame % FRAMES_PER_SECOND === 0) tell('render', frame / script.frames);
  }
  await encoding;
  await writer.finish();
  return filesOf(av, path, task, script);
}

async function scriptOf(task: FilmTask, given: Stereo | null): Promise<Script> {
  if (given !== null) return writeScript(task, null, given[0].length / SAMPLE_RATE);
  if (!task.narrates) return writeScript(task, null, null);
  const reason = await packageReason('@echogarden/espeak-ng-emscripten');
  // without its words a speaker's film says nothing; any other is one without a narration
  if (reason !== null && task.speaker === null) {
    return writeScript({ ...task, notes: [...task.notes, `Nobody speaks: ${reason}`] }, null, null);
  }
  const speaker = await openSpeaker(task.voice, task.language);
  const asked = task.voice ?? task.language;
  const isOther = asked !== null && !speaker.voice.startsWith(asked.toLowerCase().split('-')[0] ?? '');
  const notes = isOther ? [...task.notes, `There is no voice for ${asked}; ${speaker.voice} speaks.`] : task.notes;
  return writeScript({ ...task, notes }, speaker, null);
}

/** Pictures that were given, one shot after the other, and from the first again; a title keeps its own where it can. */
function pictureOf(av: Av, { images }: FilmTask, { shots }: Script) {
  const titles = shots[0]?.kind === 'title' ? 1 : 0;
  return async (shot: number, size: Size) => {
    const path = images[Math.max(0, shot - titles) % images.length];
    return path === undefined ? null : await readPicture(av, path, 'a picture', size);
  };
}

function filesOf(av: Av, path: string, task: FilmTask, { shots, cues, notes, frames }: Script): MediaFile[] {
  const { width, height, duration, thumbnail, thumbnailSize } = inspectFilm(av, path);
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
    notes,
  };
  return [
    {
      name: 'video',
      kind: 'video',
      mediaType: 'video/mp4',
      content: { file: path },
      width,
      height,
      duration,
      thumbnail: 'thumbnail',
    },
    { name: 'thumbnail', kind: 'image', mediaType: 'image/png', content: { bytes: thumbnail }, ...thumbnailSize },
    { name: 'captions', kind: 'text', mediaType: 'text/vtt', content: { text: webVtt(cues, notes) } },
    {
      name: 'storyboard',
      kind: 'data',
      mediaType: 'application/json',
      content: { text: `${JSON.stringify(storyboard, null, 2)}\n` },
    },
  ];
}
