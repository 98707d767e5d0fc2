import type { Size } from '#src/providers/local/media/frame-size.ts';
import { even } from '#src/providers/local/media/frame-size.ts';
import type { Av } from '#src/providers/local/media/media-packages.ts';
import type { MadeFile } from '#src/providers/local/media/media-task.ts';

/** Longest side of a thumbnail, in pixels. */
const THUMBNAIL_SIDE = 640;

interface Inspected extends Size {
  /** Seconds. */
  readonly duration: number;
  /** A PNG file of what is shown after a third of it. */
  readonly thumbnail: Uint8Array;
  readonly thumbnailSize: Size;
}

/** Reads the true facts of a film that was just written, from its file. */
function inspectFilm(av: Av, path: string): Inspected {
  using input = av.Demuxer.openSync(path);
  const stream = input.video();
  if (stream === undefined) throw new Error('a film was written without a picture');
  const { width, height } = stream.codecpar;
  const duration = input.duration;
  const scale = Math.min(1, THUMBNAIL_SIDE / Math.max(width, height));
  const thumbnailSize = { width: even(width * scale), height: even(height * scale) };
  const at = duration / 3;
  // of the whole file: with a stream's number, the bindings mistake the unit
  input.seekSync(at, -1, av.AVSEEK_FLAG_BACKWARD);
  using decoder = av.Decoder.createSync(stream, { threadCount: 1 });
  using filter = av.FilterAPI.create(
    `scale=${thumbnailSize.width}:${thumbnailSize.height}:in_color_matrix=bt709,format=rgb24`,
  );
  for (const frame of filter.framesSync(decoder.framesSync(input.packetsSync(stream.index)))) {
    if (frame === null) continue;
    using shown = frame;
    const { num, den } = shown.timeBase;
    if ((Number(shown.pts + 1n) * num) / den < at) continue;
    const thumbnail = av.Encoder.encodeOneSync(av.FF_ENCODER_PNG, shown);
    return { width, height, duration, thumbnail, thumbnailSize };
  }
  throw new Error('a film was written without frames');
}

/** The files of a film that was just written, `video` and `thumbnail`, with the sizes and the length that the file has. */
export function inspectedFiles(av: Av, path: string): MadeFile[] {
  const { width, height, duration, thumbnail, thumbnailSize } = inspectFilm(av, path);
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
  ];
}
