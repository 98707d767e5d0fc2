import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A WebSocket from the side of the server: texts alone. */
export interface TextSocket {
  readonly send: (text: string) => void;
  /** Cuts it without a word. */
  readonly destroy: () => void;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
/** Bytes of one message at most. */
const MOST_BYTES = 64 * 1_024 * 1_024;

/**
 * Answers the handshake of a WebSocket and reads its texts, also those that come in parts.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455
 */
export function acceptSocket(
  { headers }: IncomingMessage,
  stream: Duplex,
  head: Buffer,
  onText: (text: string) => void,
): TextSocket {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`).digest('base64');
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  const send = (opcode: number, data: Buffer) => {
    if (stream.writable) stream.write(Buffer.concat([headOf(opcode, data.length), data]));
  };
  let rest: Buffer = head;
  let parts: Buffer[] = [];
  const take = ({ opcode, isLast, data }: Frame) => {
    if (opcode === PONG) return;
    if (opcode === PING) {
      send(PONG, data);
      return;
    }
    if (opcode === CLOSE) {
      send(CLOSE, data.subarray(0, 2));
      stream.end();
      return;
    }
    parts.push(data);
    if (!isLast) return;
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    onText(text);
  };
  const read = (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (let frame = frameOf(rest); frame !== null; frame = frameOf(rest)) {
      if (frame === 'wrong') {
        stream.destroy();
        return;
      }
      rest = rest.subarray(frame.bytes);
      take(frame);
    }
  };
  stream.on('data', read);
  // the worker may be killed at any moment
  stream.on('error', () => stream.destroy());
  read(Buffer.alloc(0));
  return { send: (text) => send(TEXT, Buffer.from(text)), destroy: () => void stream.destroy() };
}

interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly data: Buffer;
  /** Length of all of it. */
  readonly bytes: number;
}

/** Reads the frame that bytes begin with; null while they do not have all of it, `wrong` for one that no client sends. */
function frameOf(bytes: Buffer): Frame | 'wrong' | null {
  if (bytes.length < 2) return null;
  const [first, second] = [bytes.readUInt8(0), bytes.readUInt8(1)];
  // a client masks what it sends
  if ((second & 0x80) === 0) return 'wrong';
  const short = second & 0x7f;
  const more = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + more + 4;
  if (bytes.length < start) return null;
  const length = more === 0 ? short : more === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > MOST_BYTES) return 'wrong';
  if (bytes.length < start + length) return null;
  const mask = bytes.subarray(start - 4, start);
  const data = Buffer.from(bytes.subarray(start, start + length));
  for (let at = 0; at < length; at++) data.writeUInt8(data.readUInt8(at) ^ mask.readUInt8(at % 4), at);
  return { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, data, bytes: start + length };
}

function headOf(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  if (length < 65_536) {
    const head = Buffer.from([first, 126, 0, 0]);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head.writeUInt8(first, 0);
  head.writeUInt8(127, 1);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
