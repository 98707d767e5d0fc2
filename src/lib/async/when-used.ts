/** What is made when it is first asked for, and the same from then on; what throws is tried again by the next who asks. */
export function whenUsed<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
