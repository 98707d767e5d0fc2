import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaCapability } from '#queues/providers.ts';
import { EffectRefused } from '#src/jobs/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Adapter, Produced, ProviderCall } from '#src/providers/adapter.ts';
import type { PicturesTask } from '#src/providers/local/draw-pictures.ts';
import { type LocalRequest, readLocalRequest } from '#src/providers/local/local-request.ts';
import type { FilmTask, MediaFile, MediaTask } from '#src/providers/local/media-task.ts';
import type { MusicTask } from '#src/providers/local/play-music.ts';
import { runMedia } from '#src/providers/local/run-media.ts';
import type { SpeechTask } from '#src/providers/local/speak-text.ts';

/** A call, what it asks for, and a folder that is there until it ends. */
interface Making {
  readonly call: ProviderCall;
  readonly asked: LocalRequest;
  readonly folder: string;
}
type Maker = (making: Making) => Promise<readonly MediaFile[]>;

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

/**
 * The provider that is this machine: previews for nothing. The same request gives the same bytes, so a call that was
 * interrupted is made again. What fails has cost nothing and left nothing: everything it throws is an EffectRefused.
 */
export const localAdapter: Adapter = {
  kind: 'exchange',
  repeat: () => 'idempotent',
  generate: async (call) => {
    const folder = await mkdtemp(join(tmpdir(), 'proofline-media-'));
    try {
      const make = makers[call.capability];
      if (make === undefined)
        throw new EffectRefused(
          'provider_failed',
          `expected another provider for ${call.capability}, got ${call.provider.id}, which cannot do it.`,
        );
      const asked = readLocalRequest(call.provider, call.capability, call.request);
      const files = await make({ call, asked, folder });
      return { produced: await Promise.all(files.map(producedOf)), billed: 0, externalId: null };
    } catch (error) {
      if (!(error instanceof AppError) || call.signal.aborted) throw error;
      throw new EffectRefused(error.code, error.message, error.details, error.cause);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function drawImages({ call, asked }: Making): Promise<readonly MediaFile[]> {
  const { seed, size, request } = asked;
  const { prompt, title = '', count = 1 } = request;
  return await inThread(call, 'draw-pictures', { seed, size, prompt, title, count });
}

async function speak({ call, asked }: Making): Promise<readonly MediaFile[]> {
  const { prompt, voice = null, language = null } = asked.request;
  return await inThread(call, 'speak-text', {
    text: prompt,
    voice,
    language,
    mostSeconds: asked.mostSeconds,
  });
}

async function compose({ call, asked }: Making): Promise<readonly MediaFile[]> {
  return await inThread(call, 'play-music', {
    seed: asked.seed,
    seconds: asked.seconds ?? DEFAULT_MUSIC_SECONDS,
  });
}

async function film(making: Making): Promise<readonly MediaFile[]> {
  const { call, asked, folder } = making;
  const { request, options, seed, size, seconds, mostSeconds, notes } = asked;
  const { images = [], narration, music } = request.inputs ?? {};
  const speaks = call.capability === 'avatar.talking-head-text';
  return await inProcess(call, {
    kind: 'film',
    folder,
    seed,
    title: request.title ?? '',
    prompt: request.prompt,
    size,
    seconds,
    mostSeconds,
    voice: request.voice ?? null,
    language: request.language ?? null,
    speaker: speaks ? (options.speaker ?? request.title ?? 'Speaker') : null,
    narrates: options.narrate ?? true,
    captions: options.captions ?? true,
    images: await Promise.all(images.map((id, index) => fileOf(making, id, `image-${index}`))),
    narration: narration === undefined ? null : await fileOf(making, narration, 'narration'),
    music: music === undefined ? null : await fileOf(making, music, 'music'),
    notes,
  } satisfies FilmTask);
}

async function reframe(making: Making): Promise<readonly MediaFile[]> {
  const { call, asked, folder } = making;
  const { request, options, seconds, mostSeconds, shortSide } = asked;
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

async function upscaleImage(making: Making): Promise<readonly MediaFile[]> {
  const { call, asked, folder } = making;
  const { request, mostShortSide } = asked;
  return await inProcess(call, {
    kind: 'upscale',
    folder,
    image: await fileOf(making, request.inputs?.images?.[0], 'image'),
    shortSide: request.resolution ?? null,
    mostShortSide,
  });
}

type ThreadTasks = {
  readonly 'draw-pictures': PicturesTask;
  readonly 'speak-text': SpeechTask;
  readonly 'play-music': MusicTask;
};

async function inThread<N extends keyof ThreadTasks>(
  { threads, signal }: ProviderCall,
  name: N,
  task: ThreadTasks[N],
): Promise<readonly MediaFile[]> {
  const file = new URL(`../../../workers/providers/${name}.thread.ts`, import.meta.url);
  return await threads.run<readonly MediaFile[]>(file, task, signal);
}

async function inProcess({ signal, progress }: ProviderCall, task: MediaTask): Promise<readonly MediaFile[]> {
  const { files } = await runMedia(task, 'made', { signal, tell: progress });
  return files;
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

async function producedOf({ content, ...file }: MediaFile): Promise<Produced> {
  if ('file' in content) return { ...file, bytes: await readFile(content.file) };
  return { ...file, bytes: 'text' in content ? new TextEncoder().encode(content.text) : content.bytes };
}
