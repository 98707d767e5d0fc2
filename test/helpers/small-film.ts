import { hash } from 'node:crypto';
import { Decoder, Demuxer, Encoder, Muxer } from 'node-av/api';
import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, FF_ENCODER_LIBX264, FF_ENCODER_MJPEG } from 'node-av/constants';
import { Frame } from 'node-av/lib';

const WIDTH = 64;
const HEIGHT = 48;

/** An H.264 film of so many frames, 64 × 48, which differ. @param movflags FFmpeg's, such as `+faststart` */
export async function smallFilm(path: string, frames: number, movflags = ''): Promise<void> {
  await using out = await Muxer.open(path, { options: movflags === '' ? {} : { movflags } });
  using encoder = await Encoder.create(FF_ENCODER_LIBX264, { options: { preset: 'ultrafast' } });
  const stream = out.addStream(encoder);
  for (let n = 0; n < frames; n++) {
    const picture = Buffer.alloc((WIDTH * HEIGHT * 3) / 2, 128);
    for (let at = 0; at < WIDTH * HEIGHT; at++) picture[at] = (at * 7 + n * 31) % 256;
    using frame = Frame.fromVideoBuffer(picture, {
      width: WIDTH,
      height: HEIGHT,
      format: AV_PIX_FMT_YUV420P,
      timeBase: { num: 1, den: 10 },
      pts: BigInt(n),
    });
    for (const packet of await encoder.encodeAll(frame)) await out.writePacket(packet, stream);
  }
  for (const packet of await encoder.encodeAll(null)) await out.writePacket(packet, stream);
}

/** A picture as JPEG, 64 × 48. */
export async function smallJpeg(): Promise<Buffer> {
  using encoder = await Encoder.create(FF_ENCODER_MJPEG);
  using frame = Frame.fromVideoBuffer(Buffer.alloc((WIDTH * HEIGHT * 3) / 2, 100), {
    width: WIDTH,
    height: HEIGHT,
    format: AV_PIX_FMT_YUVJ420P,
    timeBase: { num: 1, den: 10 },
    pts: 0n,
  });
  const [packet] = [...(await encoder.encodeAll(frame)), ...(await encoder.encodeAll(null))];
  if (!packet?.data) throw new Error('a picture without bytes');
  return packet.data;
}

/** A digest for each picture of a film, in order; a JPEG is a film of one. */
export async function picturesOf(film: Uint8Array): Promise<readonly string[]> {
  await using input = await Demuxer.open(Buffer.from(film));
  const stream = input.video();
  if (!stream) throw new Error('a film without pictures');
  using decoder = await Decoder.create(stream);
  const pictures: string[] = [];
  for await (using frame of decoder.frames(input.packets(stream.index))) {
    if (frame) pictures.push(hash('sha256', frame.toBuffer()));
  }
  return pictures;
}
