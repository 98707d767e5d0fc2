import type { Demuxer } from 'node-av/api';
import { AppError } from '#src/lib/errors.ts';
import type { Size } from '#src/providers/local/media/frame-size.ts';
import type { Av } from '#src/providers/local/media/media-packages.ts';
import { emptyPlanes, type Planes } from '#src/providers/local/picture/planes.ts';
import type { Stereo } from '#src/providers/local/sound/score.ts';
import { SAMPLE_RATE } from '#src/providers/local/sound/wav.ts';

/** Formats that hold what they show. Playlists and scripts, which name other files, are none of them. */
const FORMATS =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,wav,mp3,ogg,flac,aac,png_pipe,jpeg_pipe,webp_pipe,gif,bmp_pipe';
/** Pixels of one picture: more would need gigabytes to decode. */
const MOST_PIXELS = 50_000_000;

/**
 * Options of a decoder of untrusted files. A call with options is awaited: opened in sync, the bindings free the
 * options twice (node-av 6.1.1), and the process dies when they are collected.
 */
export const decoding = { threadCount: 1, options: { max_pixels: MOST_PIXELS } };

/**
 * Opens an untrusted media file. It is read alone: a file that refers to others is refused.
 *
 * @throws AppError `provider_refused` where it cannot be read
 */
export async function openInput(av: Av, path: string, what: string): Promise<Demuxer> {
  try {
    return await av.Demuxer.open(path, { options: { format_whitelist: FORMATS, protocol_whitelist: 'file' } as never });
  } catch (error) {
    throw unreadable(what, error);
  }
}

function unreadable(what: string, cause?: unknown): AppError {
  return new AppError(
    'provider_refused',
    `expected ${what} in a common format (MP4, WebM, MP3, WAV, PNG, JPEG, WebP), got a file that cannot be read as one.`,
    { input: what },
    cause,
  );
}

/**
 * Sound of a file as 48 kHz stereo, at most so many seconds of it.
 *
 * @throws AppError `provider_refused` where there is none
 */
export async function readSound(av: Av, path: string, what: string, mostSeconds: number): Promise<Stereo> {
  using input = await openInput(av, path, what);
  const stream = input.audio();
  if (stream === undefined) throw unreadable(what);
  using decoder = av.Decoder.createSync(stream, { threadCount: 1 });
  using filter = av.FilterAPI.create(`aresample=${SAMPLE_RATE},aformat=sample_fmts=fltp:channel_layouts=stereo`);
  const most = Math.floor(mostSeconds * SAMPLE_RATE);
  const chunks: Stereo[] = [];
  let length = 0;
  for (const frame of filter.framesSync(decoder.framesSync(input.packetsSync(stream.index)))) {
    if (frame === null) continue;
    const chunk = stereoOf(frame.data, frame.nbSamples);
    frame.free();
    chunks.push(chunk);
    length += chunk[0].length;
    if (length >= most) break;
  }
  if (length === 0) throw unreadable(what);
  const joined: Stereo = [new Float32Array(Math.min(most, length)), new Float32Array(Math.min(most, length))];
  let at = 0;
  for (const chunk of chunks) {
    for (const side of [0, 1] as const) joined[side].set(chunk[side].subarray(0, joined[side].length - at), at);
    at += chunk[0].length;
  }
  return joined;
}

/** Copies: the frame is freed. */
export function stereoOf(data: readonly Buffer[] | null, count: number): Stereo {
  const side = (index: number) => {
    const plane = data?.[index];
    if (plane === undefined) throw new Error(`a frame of stereo sound has no plane ${index}`);
    const samples = new Float32Array(count);
    new Uint8Array(samples.buffer).set(plane.subarray(0, count * 4));
    return samples;
  };
  return [side(0), side(1)];
}

/**
 * The first picture of a file, filling a frame of this size.
 *
 * @throws AppError `provider_refused` where there is none
 */
export async function readPicture(av: Av, path: string, what: string, { width, height }: Size): Promise<Planes> {
  using input = await openInput(av, path, what);
  const stream = input.video();
  if (stream === undefined) throw unreadable(what);
  try {
    using decoder = await av.Decoder.create(stream, decoding);
    using filter = av.FilterAPI.create(
      `scale=${width}:${height}:force_original_aspect_ratio=increase:out_color_matrix=bt709:out_range=tv,crop=${width}:${height},format=yuv420p`,
    );
    for (const frame of filter.framesSync(decoder.framesSync(input.packetsSync(stream.index)))) {
      if (frame === null) continue;
      const planes = emptyPlanes({ width, height });
      planes.bytes.set(frame.toBuffer().subarray(0, planes.bytes.length));
      frame.free();
      return planes;
    }
  } catch (error) {
    throw unreadable(what, error);
  }
  throw unreadable(what);
}
