import { mediaPackage } from '#src/providers/local/media/media-packages.ts';

export interface Probed {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly seconds: number;
  readonly codecs: readonly (string | null)[];
  /** Loudest sample of each second, left; empty where there is no sound. */
  readonly peaks: readonly number[];
  /** Mean luma of each frame. */
  readonly light: readonly number[];
  /** True where a player has the index before the pictures. */
  readonly isFastStart: boolean;
}

/** Decodes a whole film again, picture by picture. */
export async function probeFilm(bytes: Uint8Array): Promise<Probed> {
  const av = await mediaPackage('node-av');
  const file = Buffer.from(bytes);
  const of = (input: ReturnType<typeof av.Demuxer.openSync>) => [input.video(), input.audio()] as const;
  using input = av.Demuxer.openSync(file);
  const [video, audio] = of(input);
  if (!video) throw new Error('expected a film, got a file without a picture');
  const light: number[] = [];
  using decoder = av.Decoder.createSync(video, { threadCount: 1 });
  for (const frame of decoder.framesSync(input.packetsSync(video.index))) {
    if (frame === null) continue;
    const luma = frame.data?.[0] ?? Buffer.alloc(1);
    let sum = 0;
    for (const value of luma) sum += value;
    light.push(sum / luma.length);
    frame.free();
  }
  return {
    width: video.codecpar.width,
    height: video.codecpar.height,
    frames: light.length,
    seconds: input.duration,
    codecs: [video, ...(audio ? [audio] : [])].map(({ codecpar }) => av.avGetCodecName(codecpar.codecId)),
    peaks: audio ? await peaksOf(file) : [],
    light,
    isFastStart: file.indexOf('moov') < file.indexOf('mdat'),
  };
}

async function peaksOf(file: Buffer): Promise<number[]> {
  const av = await mediaPackage('node-av');
  using input = av.Demuxer.openSync(file);
  const audio = input.audio();
  if (!audio) return [];
  using decoder = av.Decoder.createSync(audio);
  const peaks: number[] = [];
  let at = 0;
  for (const frame of decoder.framesSync(input.packetsSync(audio.index))) {
    if (frame === null) continue;
    const plane = frame.data?.[0] ?? Buffer.alloc(0);
    const samples = new Float32Array(Uint8Array.from(plane).buffer, 0, frame.nbSamples);
    for (const sample of samples) {
      const second = Math.floor(at++ / frame.sampleRate);
      peaks[second] = Math.max(peaks[second] ?? 0, Math.abs(sample));
    }
    frame.free();
  }
  return peaks;
}
