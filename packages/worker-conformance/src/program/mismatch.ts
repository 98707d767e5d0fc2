import { isDeepStrictEqual } from 'node:util';

/** A worker that does otherwise than the protocol has it, as a sentence. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

/** Holds a value against what is expected. @throws Mismatch */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return;
  throw new Mismatch(`${what}: expected ${shown(expected)}, got ${shown(actual)}.`);
}

/** @throws Mismatch where something does not hold. */
export function holds(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Mismatch(sentence);
}

/** A value as JSON says it. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}
