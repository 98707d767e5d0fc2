import { repeatedName } from '#src/lib/text/json-names.ts';

/*
 * JSON.parse keeps the last of two members of one name and rounds what it cannot hold; another reader may keep the
 * first, or hold more. What is signed must be the same for everybody, so both are refused here.
 */

/** RFC 8259, section 8.1: writers must not put it before a JSON text, readers may ignore it. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The value of a JSON text whose objects name no member twice and whose numbers are plain integers. A byte order mark
 * that an editor put before it is no part of it: browsers and standard input take it away unseen, so a file is read
 * alike.
 *
 * @throws SyntaxError for anything else, with the place, counted without that mark.
 */
export function parseStrict(marked: string): unknown {
  const text = marked.startsWith(BYTE_ORDER_MARK) ? marked.slice(BYTE_ORDER_MARK.length) : marked;
  const value: unknown = JSON.parse(text);
  const repeated = repeatedName(text);
  if (repeated) {
    const { words, index } = repeated;
    throw new SyntaxError(`JSON: expected every name once in an object, got ${words} again at character ${index}.`);
  }
  // the text is valid JSON, so what is no string and begins with a sign or digit is a number
  for (const { 1: number, index } of text.matchAll(/"(?:[^"\\]|\\.)*?"|(-?\d[\d.eE+-]*)/g))
    if (number !== undefined) refuseInexact(number, index);
  return value;
}

function refuseInexact(number: string, index: number): void {
  if (/^(0|-?[1-9]\d*)$/.test(number) && Number.isSafeInteger(Number(number))) return;
  throw new SyntaxError(`JSON: expected a whole number of at most 2^53 - 1 at character ${index}, got ${number}.`);
}

/**
 * The receipt in a file: strictly parsed, and without the `attestation` that our API adds. That is the service's own
 * opinion; a verifier of the receipt forms another.
 *
 * @throws SyntaxError as {@link parseStrict}.
 */
export function parseReceipt(text: string): unknown {
  const value = parseStrict(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { attestation: _opinion, ...receipt } = value as Record<string, unknown>;
  return receipt;
}
