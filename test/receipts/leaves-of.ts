export type Path = readonly (string | number)[];

/** Every place of a JSON value, with what is there; the whole first. */
export function* walk(value: unknown, path: Path = []): Generator<readonly [Path, unknown]> {
  yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield* walk(inner, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

/** A copy with another value at a place; undefined removes it. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(root)) return root.with(Number(name), withValue(root[Number(name)], rest, value));
  const { [name]: inner, ...others } = root as Record<string, unknown>;
  const changed = withValue(inner, rest, value);
  return changed === undefined ? others : { ...others, [name]: changed };
}
