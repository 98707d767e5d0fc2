import { join } from 'node:path';
import { PCM_RATE, type SoundType } from '#src/providers/catalogue/sound-formats.ts';
import { type Av, mediaPackage } from '#src/providers/local/media/media-packages.ts';
import type { ConvertTask, MadeFile } from '#src/providers/local/media/media-task.ts';
import { SAMPLE_RATE } from '#src/providers/local/sound/wav.ts';
import { openInput } from './media-input.ts';

interface Target {
  readonly muxer: 'mp3' | 'ogg' | 'adts' | 'flac' | 'wav' | 's16le';
  readonly encoder: (av: Av) => Parameters<Av['Encoder']['createSync']>[0];
  /** Samples as the encoder takes them. */
  readonly samples: string;
  readonly bitrate?: string;
}

const s16 = 'sample_fmts=s16';
const fltp = 'sample_fmts=fltp';
const plain = { encoder: (av: Av) => av.FF_ENCODER_PCM_S16LE, samples: s16 };
const targets: Readonly<Record<SoundType, Target>> = {
  'audio/mpeg': { muxer: 'mp3', encoder: (av) => av.FF_ENCODER_LIBMP3LAME, samples: fltp, bitrate: '128k' },
  'audio/ogg': { muxer: 'ogg', encoder: (av) => av.FF_ENCODER_LIBOPUS, samples: s16, bitrate: '64k' },
  'audio/aac': { muxer: 'adts', encoder: (av) => av.FF_ENCODER_AAC, samples: fltp, bitrate: '128k' },
  'audio/flac': { muxer: 'flac', encoder: (av) => av.FF_ENCODER_FLAC, samples: s16 },
  'audio/wav': { muxer: 'wav', ...plain },
  'audio/pcm': { muxer: 's16le', ...plain },
};

/**
 * A sound in another format: 48 kHz with the channels that it has, and `audio/pcm` as 24 kHz in one channel.
 *
 * @throws AppError `provider_refused` where it cannot be read, `media_unavailable` without FFmpeg
 */
export async function convertSound({ folder, sound, mediaType }: ConvertTask): Promise<MadeFile[]> {
  const av = await mediaPackage('node-av');
  const { muxer: format, encoder: codec, samples, bitrate } = targets[mediaType];
  const isPcm = mediaType === 'audio/pcm';
  using input = await openInput(av, sound, 'a sound');
  const stream = input.audio();
  if (stream === undefined) throw new Error('expected sound in what a provider has made, got none');
  const file = join(folder, 'converted');
  const layouts = isPcm ? 'mono' : 'mono|stereo';
  using decoder = av.Decoder.createSync(stream, { threadCount: 1 });
  using filter = av.FilterAPI.create(
    `aresample=${isPcm ? PCM_RATE : SAMPLE_RATE},aformat=${samples}:channel_layouts=${layouts}`,
  );
  // nothing in the file says when or where it was made: the same sound is the same bytes
  const muxer = await av.Muxer.open(file, { format, options: { fflags: '+bitexact' } });
  using encoder = av.Encoder.createSync(codec(av), { ...(bitrate !== undefined && { bitrate }) });
  const out = muxer.addStream(encoder);
  const write = (packets: ReturnType<typeof encoder.encodeAllSync>) => {
    for (const packet of packets) {
      muxer.writePacketSync(packet, out);
      packet.free();
    }
  };
  try {
    for (const frame of filter.framesSync(decoder.framesSync(input.packetsSync(stream.index)))) {
      if (frame === null) continue;
      write(encoder.encodeAllSync(frame));
      frame.free();
    }
    write(encoder.encodeAllSync(null));
  } finally {
    muxer.closeSync();
  }
  return [{ name: 'sound', kind: 'audio', mediaType, content: { file } }];
}
