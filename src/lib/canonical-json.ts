import canonicalize from 'canonicalize';

/** Deeper values are refused, so that no value can exhaust the stack of what reads it. */
const deepest = 100;

/**
 * The one text of a JSON value: RFC 8785 (JCS).
 *
 * @throws TypeError for what is no JSON value (undefined, a Date, a Map, bytes, NaN, a lone surrogate, a cycle), which
 *   serialisers drop or turn into something else in silence.
 */
export function canonicalText(value: unknown): string {
  visit(value, (one, path) => {
    if (!isJson(one)) throw new TypeError(`canonical JSON: expected a JSON value at ${path}, got ${kind(one)}.`);
  });
  return canonicalize(value) ?? 'null';
}

/** {@link canonicalText} in UTF-8: the bytes that are hashed and sealed. */
export function canonicalBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalText(value));
}

/**
 * {@link canonicalBytes} of a value in which every number is an integer that all readers hold exactly. Whoever needs a
 * fraction, money or more than 2^53 - 1 writes it as text.
 *
 * @throws TypeError for any other number, -0 among them, and as {@link canonicalText}.
 */
export function exactBytes(value: unknown): Uint8Array<ArrayBuffer> {
  visit(value, (one, path) => {
    if (typeof one !== 'number' || (Number.isSafeInteger(one) && !Object.is(one, -0))) return;
    throw new TypeError(
      `exact JSON: expected an integer of at most 2^53 - 1 at ${path}, got ${Object.is(one, -0) ? '-0' : one}; write other numbers as text.`,
    );
  });
  return canonicalBytes(value);
}

function visit(value: unknown, look: (one: unknown, path: string) => void): void {
  const waiting: { one: unknown; path: string; depth: number }[] = [{ one: value, path: '$', depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { one, path, depth } = next;
    look(one, path);
    if (typeof one !== 'object' || one === null) continue;
    if (depth === deepest) throw new TypeError(`canonical JSON: expected at most ${deepest} levels, got more.`);
    for (const [key, inner] of Object.entries(one)) {
      if (!key.isWellFormed())
        throw new TypeError(`canonical JSON: expected well-formed names in ${path}, got a lone surrogate.`);
      waiting.push({ one: inner, path: Array.isArray(one) ? `${path}[${key}]` : `${path}.${key}`, depth: depth + 1 });
    }
  }
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return Object.keys(value).length === value.length;
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.getOwnPropertySymbols(value).length === 0;
}

function kind(value: unknown): string {
  if (typeof value === 'string') return 'a text with a lone surrogate';
  if (Array.isArray(value)) return 'an array with holes';
  if (typeof value === 'object' && value !== null)
    return `an object of another kind (${value.constructor?.name ?? 'unknown'})`;
  return String(value);
}
