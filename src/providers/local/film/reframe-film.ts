import { join } from 'node:path';
import type { Decoder, FilterAPI } from 'node-av/api';
import type { Frame, Packet } from 'node-av/lib';
import { AppError } from '#src/lib/errors.ts';
import { counted } from '#src/lib/text/counted.ts';
import { even, frameSize, type Size } from '#src/providers/local/media/frame-size.ts';
import { type Av, mediaPackage } from '#src/providers/local/media/media-packages.ts';
import type { MadeFile, OnProgress, ReframeTask } from '#src/providers/local/media/media-task.ts';
import { SAMPLE_RATE } from '#src/providers/local/sound/wav.ts';
import { openFilmWriter } from './film-writer.ts';
import { inspectedFiles } from './inspect-film.ts';
import { decoding, openInput, stereoOf } from './media-input.ts';
import { FRAMES_PER_SECOND } from './timeline.ts';

/**
 * Filters that bring a film into a frame: with itself, blurred, where it leaves room; with black; or by cutting it off.
 */
const filters: Readonly<Record<ReframeTask['fit'], (size: Size) => string>> = {
  blur: ({ width, height }) =>
    `split[back][front];[back]${scaled(width, height, 'increase')},crop=${width}:${height},boxblur=${Math.max(1, Math.min(width, height) >> 5)}:2[under];[front]${scaled(width, height, 'decrease')}[over];[under][over]overlay=(W-w)/2:(H-h)/2`,
  pad: ({ width, height }) => `${scaled(width, height, 'decrease')},pad=${width}:${height}:-1:-1`,
  crop: ({ width, height }) => `${scaled(width, height, 'increase')},crop=${width}:${height}`,
};

function scaled(width: number, height: number, how: 'increase' | 'decrease'): string {
  return `scale=${width}:${height}:force_original_aspect_ratio=${how}:force_divisible_by=2`;
}

/**
 * Converts an input film into another shape, size and length, as channels need them. It is decoded and encoded frame by
 * frame.
 *
 * @throws AppError `provider_refused` where it cannot be read, or has nothing at this time
 */
export async function reframeFilm(task: ReframeTask, onProgress: OnProgress): Promise<MadeFile[]> {
  const av = await mediaPackage('node-av');
  const { start, seconds } = task;
  using input = await openInput(av, task.video, 'a video');
  const video = input.video();
  if (video === undefined) throw empty('a video', 'a file without a picture');
  const audio = input.audio();
  const size = sizeOf(task, video.codecpar);
  const path = join(task.folder, 'film.mp4');
  using writer = await openFilmWriter(av, path, size, audio !== undefined);
  using pictures = openBranch(av, await av.Decoder.create(video, decoding), start + seconds, [
    `trim=start=${start}:duration=${seconds},setpts=PTS-STARTPTS,fps=${FRAMES_PER_SECOND},${filters[task.fit](size)},setsar=1,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p`,
    { framerate: { num: FRAMES_PER_SECOND, den: 1 } },
  ]);
  using sounds =
    audio &&
    openBranch(av, av.Decoder.createSync(audio, { threadCount: 1 }), start + seconds, [
      `atrim=start=${start}:duration=${seconds},asetpts=PTS-STARTPTS,aresample=${SAMPLE_RATE},aformat=sample_fmts=fltp:channel_layouts=stereo`,
    ]);
  const takePicture = async (frame: Frame) => {
    await writer.frame(frame);
    if (writer.frames() % FRAMES_PER_SECOND === 0) onProgress('render', writer.frames() / FRAMES_PER_SECOND / seconds);
  };
  const takeSound = async (frame: Frame) => {
    writer.sound(stereoOf(frame.data, frame.nbSamples));
    frame.free();
  };
  for (const packet of input.packetsSync()) {
    if (packet === null) continue;
    using read = packet;
    if (read.streamIndex === video.index) await pictures.give(read, takePicture);
    if (read.streamIndex === audio?.index) await sounds?.give(read, takeSound);
    const { num, den } = read.timeBase;
    // pictures come out of order, by less than a second
    if (read.streamIndex === video.index && (Number(read.pts) * num) / den > start + seconds + 1) break;
  }
  await pictures.end(takePicture);
  await sounds?.end(takeSound);
  if (writer.frames() === 0) throw empty(`a video longer than ${counted(start, 'second')}`, 'a shorter one');
  await writer.finish();
  return inspectedFiles(av, path);
}

type Take = (frame: Frame) => Promise<void>;

interface Branch extends Disposable {
  readonly give: (packet: Packet, take: Take) => Promise<void>;
  /** Gives what is still inside. */
  readonly end: (take: Take) => Promise<void>;
}

/** Decodes the packets of one stream and filters its frames, as far as they begin before `until` (seconds). */
function openBranch(av: Av, decoder: Decoder, until: number, filter: Parameters<typeof FilterAPI.create>): Branch {
  const graph = av.FilterAPI.create(...filter);
  const pass = async (frame: Frame, take: Take) => {
    using decoded = frame;
    const { num, den } = decoded.timeBase;
    // a filter that has all it wants takes no more
    if ((Number(decoded.pts) * num) / den >= until) return;
    for (const made of graph.processAllSync(decoded)) await take(made);
  };
  return {
    give: async (packet, take) => {
      for (const frame of decoder.decodeAllSync(packet)) await pass(frame, take);
    },
    end: async (take) => {
      for (const frame of decoder.decodeAllSync(null)) await pass(frame, take);
      for (const frame of graph.flushFramesSync()) await take(frame);
    },
    [Symbol.dispose]: () => {
      graph.close();
      decoder.close();
    },
  };
}

function sizeOf({ aspect, shortSide }: ReframeTask, { width, height }: Size): Size {
  if (aspect !== null) return frameSize(aspect, shortSide);
  const scale = Math.min(1, shortSide / Math.min(width, height));
  return { width: even(width * scale), height: even(height * scale) };
}

function empty(expected: string, got: string): AppError {
  return new AppError('provider_refused', `expected ${expected}, got ${got}.`, { input: 'video' });
}
