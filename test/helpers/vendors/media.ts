import { crc32, deflateSync } from 'node:zlib';

const text = (value: string) => Buffer.from(value, 'latin1');
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A whole PNG of one colour. */
export function pngOf(width = 8, height = 8): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const typed = Buffer.concat([text(type), content]);
    return Buffer.concat([u32(content.length), typed, u32(crc32(typed))]);
  };
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])]);
  const rows = Buffer.alloc(height * (1 + width * 3), 0x7f);
  for (let row = 0; row < height; row++) rows[row * (1 + width * 3)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Silence: 8,000 samples of 16 bits a second. */
export function wavOf(seconds = 1): Buffer {
  const rate = 8_000;
  const size = Math.round(seconds * rate) * 2;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + size, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(size, 40);
  return Buffer.concat([head, Buffer.alloc(size)]);
}

/** The boxes of an MP4 with one track, as a reader of headers sees them; its one frame is no film. */
export function mp4Of(seconds = 4, width = 1_280, height = 720): Buffer {
  const box = (type: string, ...content: readonly Buffer[]): Buffer => {
    const inner = Buffer.concat(content);
    return Buffer.concat([u32(8 + inner.length), text(type), inner]);
  };
  const header = Buffer.concat([u32(0), u32(0), u32(0), u32(1_000), u32(seconds * 1_000), Buffer.alloc(80)]);
  const track = Buffer.concat([Buffer.alloc(76), u32(width * 65_536), u32(height * 65_536)]);
  return Buffer.concat([
    box('ftyp', text('isom'), u32(512), text('isomiso2mp41')),
    box('moov', box('mvhd', header), box('trak', box('tkhd', track))),
    box('mdat', Buffer.alloc(64)),
  ]);
}
