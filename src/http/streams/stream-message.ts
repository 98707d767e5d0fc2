import type { StreamEvent, StreamKind } from './stream-source.ts';

/**
 * One unmasked text frame from server to client (RFC 6455, section 5.2). Made here, not by the WebSocket library,
 * because frames to clients are all alike: one encoded frame is written to every socket, and many of them in one write.
 */
function textFrame(text: string): Buffer {
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

export type Transport = 'sse' | 'websocket';

/** One event, encoded at most once per transport, however many clients get it. */
export interface StreamMessage {
  /** Null for transient events. */
  readonly n: number | null;
  readonly epoch: string;
  readonly type: string;
  /** For filters. */
  readonly data: unknown;
  /** Key of a transient event: a newer one replaces an older one of the same key. */
  readonly key: string;
  /** True where it ends the stream. */
  readonly ends: boolean;
  /** Its JSON. */
  readonly text: string;
  /** Bytes of its JSON, for bounds. */
  readonly size: number;
  readonly bytes: (transport: Transport) => Buffer;
}

/** Messages that are written together; joined at most once per transport. */
export interface Batch {
  readonly messages: readonly StreamMessage[];
  /** First and last number of the durable ones; null when there are none. */
  readonly run: { readonly first: number; readonly last: number } | null;
  /** True where no number is missing or doubled between the two. */
  readonly dense: boolean;
  readonly hasTransient: boolean;
  readonly size: number;
  readonly bytes: (transport: Transport) => Buffer;
}

export function durableMessage(kind: StreamKind, epoch: string, { n, type, at, data }: StreamEvent): StreamMessage {
  const id = `${epoch}.${n}`;
  return message({ n, epoch, type, data, key: '', ends: kind.ends(type) }, id, JSON.stringify({ id, type, at, data }));
}

export function transientMessage(type: string, key: string, at: string, data: unknown): StreamMessage {
  return message(
    { n: null, epoch: '', type, data, key: `${type} ${key}`, ends: false },
    null,
    JSON.stringify({ type, key, at, data }),
  );
}

/**
 * A message about the stream itself: `snapshot`, `reset` and `heartbeat` (which may set the cursor), `revoked`,
 * `error`.
 */
export function controlMessage(type: string, data: unknown, id: string | null = null): StreamMessage {
  const text = JSON.stringify({ ...(id !== null && { id }), type, at: new Date().toISOString(), data });
  return message({ n: null, epoch: '', type, data, key: type, ends: false }, id, text);
}

function message(
  fields: Omit<StreamMessage, 'text' | 'size' | 'bytes'>,
  id: string | null,
  text: string,
): StreamMessage {
  const encode = {
    sse: () => Buffer.from(`${id === null ? '' : `id: ${id}\n`}event: ${fields.type}\ndata: ${text}\n\n`),
    websocket: () => textFrame(text),
  };
  return { ...fields, text, size: text.length, bytes: once((transport) => encode[transport]()) };
}

export function batchOf(messages: readonly StreamMessage[]): Batch {
  let run: { first: number; last: number } | null = null;
  let dense = true;
  let size = 0;
  for (const { n, size: bytes } of messages) {
    size += bytes;
    if (n === null) continue;
    if (run && n !== run.last + 1) dense = false;
    run = run ? { first: run.first, last: n } : { first: n, last: n };
  }
  return {
    messages,
    run,
    dense,
    hasTransient: messages.some(({ n }) => n === null),
    size,
    bytes: once((transport) => Buffer.concat(messages.map((one) => one.bytes(transport)))),
  };
}

function once(make: (transport: Transport) => Buffer): (transport: Transport) => Buffer {
  const made: Partial<Record<Transport, Buffer>> = {};
  return (transport) => (made[transport] ??= make(transport));
}
