import { crc32 } from 'node:zlib';

/** A text chunk of PNG that says that words are drawn in the picture: a film lays none over it then. */
const KEYWORD = 'proofline-words';
const SIGNATURE = 8;
/** Length, type and checksum of a chunk. */
const AROUND = 12;

/** The same picture with a note that it has words in it. @see https://www.w3.org/TR/png-3/#11tEXt */
export function noteWords(png: Uint8Array): Uint8Array {
  const end = png.length - AROUND;
  const body = Buffer.from(`tEXt${KEYWORD}\0drawn`, 'latin1');
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, end), chunk, png.subarray(end)]);
}

/** Checks whether a picture is marked as having words in it; a picture that was not drawn here never is. */
export function hasWords(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString('latin1', 1, 4) !== 'PNG') return false;
  for (let at = SIGNATURE; at + AROUND <= file.length; at += file.readUInt32BE(at) + AROUND) {
    if (file.toString('latin1', at + 4, at + 8) !== 'tEXt') continue;
    if (file.toString('latin1', at + 8, at + 8 + KEYWORD.length) === KEYWORD) return true;
  }
  return false;
}
