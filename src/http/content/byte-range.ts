/** A part of a content, both ends included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Which part of `size` bytes a `Range` header asks for (RFC 9110 §14.2). Null for the whole: no header, another unit, several
 * ranges, or something that is none, all of which a server may leave aside; `unsatisfiable` where nothing lies in it.
 */
export function readRange(header: string | undefined, size: number): Span | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
