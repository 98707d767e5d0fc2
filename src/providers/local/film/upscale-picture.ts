import { AppError } from '#src/lib/errors.ts';
import { even } from '#src/providers/local/media/frame-size.ts';
import { mediaPackage } from '#src/providers/local/media/media-packages.ts';
import type { MadeFile, UpscaleTask } from '#src/providers/local/media/media-task.ts';
import { decoding, openInput } from './media-input.ts';

/**
 * Makes a picture with more pixels (Lanczos). It shows no more than its input: nothing is invented.
 *
 * @throws AppError `provider_refused` where it cannot be read, or has that many pixels already
 */
export async function upscalePicture({ image, shortSide, mostShortSide }: UpscaleTask): Promise<MadeFile[]> {
  const av = await mediaPackage('node-av');
  using input = await openInput(av, image, 'a picture');
  const stream = input.video();
  if (stream === undefined) throw refused('a picture', 'a file without one');
  const { width, height } = stream.codecpar;
  const short = Math.min(width, height);
  const wanted = Math.min(mostShortSide, shortSide ?? short * 2);
  if (wanted <= short) throw refused(`a picture whose short side has fewer than ${wanted} pixels`, `${short}`);
  const size = { width: even((width * wanted) / short), height: even((height * wanted) / short) };
  using decoder = await av.Decoder.create(stream, decoding);
  using filter = av.FilterAPI.create(`scale=${size.width}:${size.height}:flags=lanczos,format=rgba`);
  for (const frame of filter.framesSync(decoder.framesSync(input.packetsSync(stream.index)))) {
    if (frame === null) continue;
    using scaled = frame;
    const bytes = av.Encoder.encodeOneSync(av.FF_ENCODER_PNG, scaled);
    return [{ name: 'image', kind: 'image', mediaType: 'image/png', content: { bytes }, ...size }];
  }
  throw refused('a picture', 'a file that cannot be decoded');
}

function refused(expected: string, got: string): AppError {
  return new AppError('provider_refused', `expected ${expected}, got ${got}.`, { input: 'image' });
}
