import { AppError } from '#src/lib/errors.ts';
import { type Chain, columnBytes, viewColumns } from './chain.ts';

const VERSION = 1;
const PREFIX = 16;

/**
 * A chain as one block of bytes: version byte, three zeros, header length, checksum of all that follows, four zeros,
 * JSON header padded to eight bytes, then the columns as they lie in memory. Numbers are little endian, as on every
 * platform that Node runs on.
 */
export function packChain(chain: Chain): Uint8Array<ArrayBuffer> {
  const { columns, ...header } = chain;
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = align(PREFIX + json.length);
  const body = new Uint8Array(columns.strike.buffer, 0, columnBytes(chain.contracts));
  const bytes = new Uint8Array(start + body.length);
  bytes[0] = VERSION;
  bytes.set(json, PREFIX);
  bytes.set(body, start);
  const words = new Uint32Array(bytes.buffer);
  words[1] = json.length;
  words[2] = checksum(words);
  return bytes;
}

/**
 * The chain of {@link packChain}'s bytes, its columns copied into a new SharedArrayBuffer.
 *
 * @throws AppError `invalid_chain` for bytes of another version, cut short, changed, or not ours.
 */
export function unpackChain(bytes: Uint8Array): Chain {
  if (bytes.length < PREFIX || bytes.length % 8 !== 0) throw unusable('bytes', bytes.length);
  if (bytes[0] !== VERSION) throw unusable('version', bytes[0]);
  // Copied once, since a database driver hands out views that start at any offset.
  const words = new Uint32Array(Uint8Array.from(bytes).buffer);
  const length = words[1]!;
  if (words[2] !== checksum(words)) throw unusable('checksum', words[2]);
  const start = align(PREFIX + length);
  if (start > bytes.length) throw unusable('header_length', length);
  const header = readHeader(new Uint8Array(words.buffer, PREFIX, length));
  const size = columnBytes(header.contracts);
  if (bytes.length !== start + size) throw unusable('bytes', bytes.length);
  const buffer = new SharedArrayBuffer(size);
  new Uint8Array(buffer).set(new Uint8Array(words.buffer, start));
  return { ...header, columns: viewColumns(buffer, header.contracts) };
}

/** FNV-1a over the words after the prefix: it catches storage faults, not forgery. */
function checksum(words: Uint32Array): number {
  let hash = 2166136261;
  for (let i = PREFIX / 4; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 16777619);
  return hash >>> 0;
}

function readHeader(json: Uint8Array): Omit<Chain, 'columns'> {
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder().decode(json));
  } catch (cause) {
    throw new AppError(
      'invalid_chain',
      'expected a packed chain, got bytes whose header is not JSON',
      { field: 'header' },
      cause,
    );
  }
  if (!isHeader(header)) throw unusable('header', null);
  return header;
}

function isHeader(value: unknown): value is Omit<Chain, 'columns'> {
  if (typeof value !== 'object' || value === null) return false;
  const header = value as Partial<Chain>;
  return (
    typeof header.symbol === 'string' &&
    typeof header.asOf === 'string' &&
    typeof header.spot === 'number' &&
    typeof header.multiplier === 'number' &&
    Number.isSafeInteger(header.contracts) &&
    Number(header.contracts) >= 0 &&
    Array.isArray(header.expiries) &&
    typeof header.dropped === 'object' &&
    header.dropped !== null
  );
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

function unusable(field: string, value: unknown): AppError {
  return new AppError('invalid_chain', `expected the bytes of a packed chain, got ${field} ${String(value)}`, {
    field,
    value,
  });
}
