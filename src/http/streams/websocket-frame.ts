/**
 * One unmasked text frame from server to client (RFC 6455, section 5.2). Made here, not by the WebSocket library, because
 * frames to clients are all alike: one encoded frame is written to every socket, and many of them in one write.
 */
export function textFrame(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const header = frameHeader(0x1, size);
  const frame = Buffer.allocUnsafe(header.length + size);
  header.copy(frame);
  frame.write(text, header.length);
  return frame;
}

function frameHeader(opcode: number, size: number): Buffer {
  const first = 0x80 | opcode;
  if (size < 126) return Buffer.from([first, size]);
  if (size < 65_536) return Buffer.from([first, 126, size >> 8, size & 0xff]);
  const header = Buffer.alloc(10);
  header[0] = first;
  header[1] = 127;
  header.writeBigUInt64BE(BigInt(size), 2);
  return header;
}
