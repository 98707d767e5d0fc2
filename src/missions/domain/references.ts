import { escapeStep } from '#src/lib/json-pointer.ts';

const KEYS = new Set(['path', '$from']);

/** Stands in an input for what an earlier step gave. */
export interface Reference {
  readonly $from: string;
  /** Members of the output, joined by dots: `data.net_gex`, `results.0.status`; all of it where left out. */
  readonly path?: string;
}

export function isReference(value: unknown): value is Reference {
  if (typeof value !== 'object' || value === null || !('$from' in value)) return false;
  const { $from, path } = value as { $from: unknown; path?: unknown };
  return (
    typeof $from === 'string' &&
    (path === undefined || typeof path === 'string') &&
    Object.keys(value).every((key) => KEYS.has(key))
  );
}

/** Every reference in an input, with the JSON pointer of its place. */
export function referencesIn(value: unknown, at = ''): readonly { readonly at: string; readonly to: Reference }[] {
  if (isReference(value)) return [{ at, to: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => referencesIn(member, `${at}/${escapeStep(key)}`));
}

/** A reference without a value. */
export interface Missing {
  readonly missing: Reference;
}

/** An input with every reference replaced by what `outputs` hold; or the first one that stands for nothing. */
export function resolveReferences(
  input: unknown,
  outputs: Readonly<Record<string, unknown>>,
): { readonly value: unknown } | Missing {
  if (isReference(input)) {
    const value = follow(outputs[input.$from], input.path);
    return value === undefined ? { missing: input } : { value };
  }
  if (typeof input !== 'object' || input === null) return { value: input };
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(input)) {
    const resolved = resolveReferences(member, outputs);
    if ('missing' in resolved) return resolved;
    entries.push([key, resolved.value]);
  }
  return { value: Array.isArray(input) ? entries.map(([, value]) => value) : Object.fromEntries(entries) };
}

function follow(output: unknown, path: string | undefined): unknown {
  if (path === undefined || path === '') return output;
  let here = output;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[name];
  }
  return here;
}

/**
 * Checks whether the JSON text of a value is longer than `most` characters, without writing it. It counts from below,
 * and no further than `most`, so that one value in many places costs no more than a short one.
 */
export function isLonger(value: unknown, most: number): boolean {
  const waiting = [value];
  let length = 0;
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === 'string') length += one.length + 2;
    else if (typeof one !== 'object' || one === null) length += String(one).length;
    else {
      const isList = Array.isArray(one);
      const members = Object.entries(one);
      length += 1 + Math.max(1, members.length);
      for (const [name, member] of members) {
        // name, quotes and colon
        if (!isList) length += name.length + 3;
        waiting.push(member);
      }
    }
    if (length > most) return true;
  }
  return false;
}
