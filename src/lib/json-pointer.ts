/** Steps of a JSON pointer (RFC 6901), such as `['a', '0']` for `/a/0`; none for the empty one, which names the whole. */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
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
