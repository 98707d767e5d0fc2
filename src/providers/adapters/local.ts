import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaCapability } from '#queues/providers.ts';
import { EffectRefused } from '#src/jobs/effects/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Adapter, Produced, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { glyphWarnings } from '#src/providers/local/fonts/missing-glyphs.ts';
import { type LocalRequest, readLocalRequest } from '#src/providers/local/local-request.ts';
import type { FilmTask, MadeFile, MadeMedia, MediaTask } from '#src/providers/local/media/media-task.ts';
import type { PicturesTask } from '#src/providers/local/picture/draw-pictures.ts';
import { runMedia } from '#src/providers/local/run-media.ts';
import type { MusicTask } from '#src/providers/local/sound/play-music.ts';
import type { SpeechTask } from '#src/providers/local/sound/speak-text.ts';
import { makeTemporaryFolder } from '#src/system/temporary-folders.ts';

/** A call, what it asks for, and a folder that is there until it ends. */
interface Making {
  readonly call: ProviderCall;
  readonly wanted: LocalRequest;
  readonly folder: string;
}
type Maker = (making: Making) => Promise<MadeMedia>;

const makers: Partial<Record<MediaCapability, Maker>> = {
  'image.generate': drawImages,
  'image.upscale': upscaleImage,
  'tts.synthesize': speak,
  'music.generate': compose,
  'video.generate': film,
  'video.from-image': film,
  'video.edit': reframe,
  'avatar.talking-head-text': film,
};

const DEFAULT_MUSIC_SECONDS = 15;
/** A film that is as long as its narration is no shorter than this. */
const LEAST_OPEN_SECONDS = 6;

/**
 * The provider that is this machine: previews for nothing. The same request gives the same bytes, so a call that was
 * interrupted is made again. What fails has cost nothing and left nothing: everything it throws is an EffectRefused.
 */
export const localAdapter: Adapter = {
  kind: 'exchange',
  repeat: () => 'idempotent',
  generate: async (call) => {
    const folder = makeTemporaryFolder('media');
    try {
      const make = makers[call.capability];
      if (make === undefined)
        throw new EffectRefused(
          'provider_failed',
          `expected another provider for ${call.capability}, got ${call.provider.id}, which cannot do it.`,
        );
      const wanted = readLocalRequest(call.provider, call.capability, call.request);
      const { files, notes } = await make({ call, wanted, folder });
      return {
        produced: await Promise.all(files.map(producedOf)),
        billed: 0,
        externalId: null,
        // what it says of the request a film has among its own
        notes: [...new Set([...wanted.notes, ...notes, ...(await glyphWarnings(drawnText(call)))])],
      };
    } catch (error) {
      if (!(error instanceof AppError) || call.signal.aborted) throw error;
      throw new EffectRefused(error.code, error.message, error.details, error.cause);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** All that is written into what a call makes. */
function drawnText({ capability, request }: ProviderCall): string {
  if (request.withoutText === true || !/^(image\.generate|video\.(generate|from-image)|avatar\.)/.test(capability))
    return '';
  return `${request.title ?? ''} ${request.script ?? request.prompt}`;
}

async function drawImages({ call, wanted }: Making): Promise<MadeMedia> {
  const { seed, size, request } = wanted;
  const { prompt, title = '', count = 1, withoutText = false } = request;
  const files = await inThread(call, 'draw-pictures', { seed, size, prompt, title, count, withoutText });
  return { files, notes: [] };
}

async function speak({ call, wanted }: Making): Promise<MadeMedia> {
  const { prompt, voice = null, language = null } = wanted.request;
  return await inThread(call, 'speak-text', {
    text: prompt,
    voice,
    language,
    mostSeconds: wanted.mostSeconds,
  });
}

async function compose({ call, wanted }: Making): Promise<MadeMedia> {
  const files = await inThread(call, 'play-music', {
    seed: wanted.seed,
    seconds: wanted.seconds ?? DEFAULT_MUSIC_SECONDS,
  });
  return { files, notes: [] };
}

async function film(making: Making): Promise<MadeMedia> {
  const { call, wanted, folder } = making;
  const { request, options, seed, size, seconds, mostSeconds, notes } = wanted;
  const { images = [], narration, words, music } = request.inputs ?? {};
  const { isLengthOpen = false, title = '' } = request;
  const speaks = call.capability === 'avatar.talking-head-text';
  const optional = async (id: string | undefined, name: string) =>
    id === undefined ? null : await fileOf(making, id, name);
  return await inProcess(call, {
    kind: 'film',
    folder,
    seed,
    title,
    prompt: request.script ?? request.prompt,
    size,
    seconds: isLengthOpen ? null : seconds,
    leastSeconds: isLengthOpen ? Math.min(seconds ?? 0, LEAST_OPEN_SECONDS) : 0,
    mostSeconds,
    voice: request.voice ?? null,
    language: request.language ?? null,
    speaker: speaks ? (options.speaker ?? request.title ?? 'Speaker') : null,
    narrates: request.isSilent !== true && (options.narrate ?? true),
    captions: options.captions ?? true,
    images: await Promise.all(images.map((id, index) => fileOf(making, id, `image-${index}`))),
    narration: await optional(narration, 'narration'),
    words: await optional(words, 'words'),
    music: await optional(music, 'music'),
    notes,
  } satisfies FilmTask);
}

async function reframe(making: Making): Promise<MadeMedia> {
  const { call, wanted, folder } = making;
  const { request, options, seconds, mostSeconds, shortSide } = wanted;
  return await inProcess(call, {
    kind: 'reframe',
    folder,
    video: await fileOf(making, request.inputs?.video, 'video'),
    aspect: request.aspect ?? null,
    shortSide,
    fit: options.fit ?? 'blur',
    start: options.start ?? 0,
    seconds: seconds ?? mostSeconds,
  });
}

async function upscaleImage(making: Making): Promise<MadeMedia> {
  const { call, wanted, folder } = making;
  const { request, mostShortSide } = wanted;
  return await inProcess(call, {
    kind: 'upscale',
    folder,
    image: await fileOf(making, request.inputs?.images?.[0], 'image'),
    shortSide: request.resolution ?? null,
    mostShortSide,
  });
}

interface ThreadTasks {
  readonly 'draw-pictures': (task: PicturesTask) => readonly MadeFile[];
  readonly 'speak-text': (task: SpeechTask) => MadeMedia;
  readonly 'play-music': (task: MusicTask) => readonly MadeFile[];
}

const threadFiles: Readonly<Record<keyof ThreadTasks, URL>> = {
  'draw-pictures': new URL('../local/picture/draw-pictures.thread.ts', import.meta.url),
  'speak-text': new URL('../local/sound/speak-text.thread.ts', import.meta.url),
  'play-music': new URL('../local/sound/play-music.thread.ts', import.meta.url),
};

async function inThread<N extends keyof ThreadTasks>(
  { threads, signal }: ProviderCall,
  name: N,
  task: Parameters<ThreadTasks[N]>[0],
): Promise<ReturnType<ThreadTasks[N]>> {
  return await threads.run<ReturnType<ThreadTasks[N]>>(threadFiles[name], task, signal);
}

async function inProcess({ signal, progress }: ProviderCall, task: MediaTask): Promise<MadeMedia> {
  const { files, notes } = await runMedia(task, 'made', { signal, onProgress: progress });
  return { files, notes };
}

/** Lays an asset that the call starts from into its folder. */
async function fileOf({ call, folder }: Making, id: string | undefined, name: string): Promise<string> {
  const input = id === undefined ? undefined : call.inputs.get(id);
  if (input === undefined) {
    throw new AppError(
      'provider_refused',
      `expected an asset as ${name} for ${call.capability}, got ${id ?? 'none'}.`,
      { input: name },
    );
  }
  const path = join(folder, name);
  await writeFile(path, await input.bytes());
  return path;
}

async function producedOf({ content, ...file }: MadeFile): Promise<Produced> {
  if ('file' in content) return { ...file, bytes: await readFile(content.file) };
  return { ...file, bytes: 'text' in content ? new TextEncoder().encode(content.text) : content.bytes };
}
