/** Steps of a JSON pointer (RFC 6901), such as `['a', '0']` for `/a/0`; none for the empty one, which names the whole. */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescapeStep);
}

/** Writes a name as a step of a JSON pointer, such as `a~1b` for `a/b`. */
export function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Reads the name that a step of a JSON pointer stands for. */
export function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Finds the value at a JSON pointer; undefined where there is none. */
export function atPointer(value: unknown, pointer: string): unknown {
  let at = value;
  for (const step of pointerSteps(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[step];
  }
  return at;
}
