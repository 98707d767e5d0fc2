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
  visit(value, whyNotJson);
  return canonicalize(value) ?? 'null';
}

/** Checks whether {@link canonicalText} takes a value, which may have come from anywhere. */
export function isCanonical(value: unknown): boolean {
  try {
    visit(value, whyNotJson);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** {@link canonicalText} in UTF-8. */
export function canonicalBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalText(value));
}

/**
 * {@link canonicalBytes} of a value that {@link assertExact} takes: what is chained and sealed.
 *
 * @throws TypeError as {@link assertExact}.
 */
export function exactBytes(value: unknown): Uint8Array<ArrayBuffer> {
  assertExact(value);
  return new TextEncoder().encode(canonicalize(value) ?? 'null');
}

/**
 * Refuses a value with a number in it that not every reader holds exactly. A caller that needs a fraction, money or
 * more than 2^53 - 1 writes it as text.
 *
 * @throws TypeError for any number that is no safe integer, -0 among them, and as {@link canonicalText}.
 */
export function assertExact(value: unknown): void {
  visit(value, (one) => whyNotJson(one) ?? whyNotExact(one));
}

interface Place {
  readonly one: unknown;
  readonly name: string;
  readonly within: Place | null;
  readonly depth: number;
}

function visit(value: unknown, whyNot: (one: unknown) => string | null): void {
  const waiting: Place[] = [{ one: value, name: '$', within: null, depth: 0 }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { one, depth } = place;
    const why = depth > deepest ? `at most ${deepest} levels, got more` : whyNot(one);
    if (why !== null) throw new TypeError(`canonical JSON: expected ${why}; at ${pathOf(place)}.`);
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, inner] of Object.entries(one))
      waiting.push({ one: inner, name, within: place, depth: depth + 1 });
  }
}

function pathOf({ name, within }: Place): string {
  if (within === null) return name;
  return Array.isArray(within.one) ? `${pathOf(within)}[${name}]` : `${pathOf(within)}.${name}`;
}

function whyNotJson(value: unknown): string | null {
  if (!isJson(value)) return `a JSON value, got ${kind(value)}`;
  if (typeof value !== 'object' || value === null) return null;
  return Object.keys(value).every((name) => name.isWellFormed()) ? null : 'well-formed names, got a lone surrogate';
}

function whyNotExact(value: unknown): string | null {
  if (typeof value !== 'number' || (Number.isSafeInteger(value) && !Object.is(value, -0))) return null;
  return `an integer of at most 2^53 - 1, got ${Object.is(value, -0) ? '-0' : value} (write other numbers as text)`;
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
