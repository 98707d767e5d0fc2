import { AppError, describeError } from '#src/lib/errors.ts';
import { convertSound } from '#src/providers/local/film/convert-sound.ts';
import { makeFilm } from '#src/providers/local/film/make-film.ts';
import { reframeFilm } from '#src/providers/local/film/reframe-film.ts';
import { upscalePicture } from '#src/providers/local/film/upscale-picture.ts';
import type { FromMedia } from '#src/providers/local/media/media-messages.ts';
import { packageReasons } from '#src/providers/local/media/media-packages.ts';
import type { MadeFile, MadeMedia, MediaTask, OnProgress } from '#src/providers/local/media/media-task.ts';

// One task with FFmpeg, in a process of its own: a thread that is ended in the middle of it takes its whole process
// along, and it reads files that strangers made.

const say = (message: FromMedia) => void process.send?.(message);
const onProgress: OnProgress = (stage, fraction) => say({ kind: 'progress', stage, fraction });

process.once('message', (task: MediaTask) => {
  perform(task)
    .catch((error: unknown): FromMedia => {
      // what is no error of ours is a fault: its text goes to the log, by stderr
      if (!(error instanceof AppError))
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      return { kind: 'failed', failure: describeError(error) };
    })
    .then(say)
    .catch(() => process.exit(1));
});

// The parent has gone: no answer is needed. By force: an ordinary exit waits for an encoder, and then trips over it.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function perform(task: MediaTask): Promise<FromMedia> {
  if (task.kind === 'check') return { kind: 'checked', reasons: await packageReasons() };
  if (task.kind === 'film') return made(await makeFilm(task, onProgress));
  const files = await filesOf(task);
  return made({ files, notes: [] });
}

async function filesOf(task: Exclude<MediaTask, { kind: 'check' | 'film' }>): Promise<readonly MadeFile[]> {
  if (task.kind === 'reframe') return await reframeFilm(task, onProgress);
  if (task.kind === 'convert') return await convertSound(task);
  return await upscalePicture(task);
}

function made({ files, notes }: MadeMedia): FromMedia {
  return { kind: 'made', files, notes, peakBytes: process.resourceUsage().maxRSS * 1_024 };
}
