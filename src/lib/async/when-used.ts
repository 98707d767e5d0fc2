/**
 * Makes a value at its first use and returns the same from then on. If making it throws, the next caller tries again.
 */
export function whenUsed<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
