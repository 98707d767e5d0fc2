import type { Frame, Packet } from 'node-av/lib';
import type { Size } from '#src/providers/local/media/frame-size.ts';
import type { Av } from '#src/providers/local/media/media-packages.ts';
import type { Planes } from '#src/providers/local/picture/planes.ts';
import type { Stereo } from '#src/providers/local/sound/score.ts';
import { SAMPLE_RATE } from '#src/providers/local/sound/wav.ts';
import { FRAMES_PER_SECOND } from './timeline.ts';

/**
 * An MP4 file that is being written: H.264 and AAC, its index in front, so that a player can begin before it has all.
 */
export interface FilmWriter extends Disposable {
  /** Nothing is copied: the picture must stay as it is until this has come to its end. */
  readonly picture: (planes: Planes) => Promise<void>;
  /** The next frame of a filter; it is freed here. */
  readonly frame: (frame: Frame) => Promise<void>;
  readonly sound: (samples: Stereo) => void;
  /** Counts its frames. */
  readonly frames: () => number;
  /** Writes what is left, and the index. */
  readonly finish: () => Promise<void>;
}

/**
 * Nothing in the file says when or where it was made: the same frames are the same bytes. What has options is
 * opened with `await`, as bindings free them twice otherwise (node-av 6.1.1); an encoder is opened by its first frame.
 */
export async function openFilmWriter(
  av: Av,
  path: string,
  { width, height }: Size,
  hasSound: boolean,
): Promise<FilmWriter> {
  const muxer = await av.Muxer.open(path, { format: 'mp4', options: { movflags: '+faststart', fflags: '+bitexact' } });
  const video = av.Encoder.createSync(av.FF_ENCODER_LIBX264, {
    gopSize: FRAMES_PER_SECOND * 2,
    // how many there are decides the bytes, so it must not be what the machine has
    threadCount: 2,
    // every frame that it looks ahead is kept in memory
    options: {
      preset: 'veryfast',
      crf: 22,
      profile: 'high',
      'rc-lookahead': 5,
      'x264-params': 'sync-lookahead=0',
    },
  });
  const audio = hasSound ? av.Encoder.createSync(av.FF_ENCODER_AAC, { bitrate: '128k' }) : null;
  const videoStream = muxer.addStream(video);
  const audioStream = audio === null ? -1 : muxer.addStream(audio);
  const timeBase = { num: 1, den: FRAMES_PER_SECOND };
  let frames = 0;
  let samples = 0;
  const write = (packets: readonly Packet[], stream: number) => {
    for (const packet of packets) {
      muxer.writePacketSync(packet, stream);
      packet.free();
    }
  };
  const encode = async (frame: Frame) => {
    frame.pts = BigInt(frames++);
    frame.timeBase = new av.Rational(1, FRAMES_PER_SECOND);
    frame.colorSpace = av.AVCOL_SPC_BT709;
    frame.colorPrimaries = av.AVCOL_PRI_BT709;
    frame.colorTrc = av.AVCOL_TRC_BT709;
    frame.colorRange = av.AVCOL_RANGE_MPEG;
    // a filter hands on where its source had key frames
    frame.pictType = av.AV_PICTURE_TYPE_NONE;
    write(await video.encodeAll(frame), videoStream);
    frame.free();
  };
  return {
    picture: async ({ bytes }) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      await encode(av.Frame.fromVideoBuffer(buffer, { width, height, format: av.AV_PIX_FMT_YUV420P, timeBase }));
    },
    frame: encode,
    sound: ([left, right]) => {
      if (audio === null) return;
      const planes = Buffer.concat(
        [left, right].map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
      );
      const frame = av.Frame.fromAudioBuffer(planes, {
        nbSamples: left.length,
        format: av.AV_SAMPLE_FMT_FLTP,
        sampleRate: SAMPLE_RATE,
        channelLayout: av.AV_CHANNEL_LAYOUT_STEREO,
        timeBase: { num: 1, den: SAMPLE_RATE },
        pts: BigInt(samples),
      });
      samples += left.length;
      write(audio.encodeAllSync(frame), audioStream);
      frame.free();
    },
    frames: () => frames,
    finish: async () => {
      if (audio !== null) write(audio.encodeAllSync(null), audioStream);
      write(await video.encodeAll(null), videoStream);
      muxer.closeSync();
    },
    [Symbol.dispose]: () => {
      audio?.close();
      video.close();
      muxer.closeSync();
    },
  };
}
