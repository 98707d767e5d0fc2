/** A document in which every `$ref` into itself is replaced by what it names, as far as it does not name itself. */
export function inlineRefs<T>(document: T): T {
  const named = (pointer: string): unknown =>
    pointer
      .slice(2)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((at: any, step) => at?.[step], document);
  const inline = (value: unknown, above: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => inline(one, above));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Record<string, unknown>;
    const own = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, inline(one, above)]));
    if (typeof $ref !== 'string' || !$ref.startsWith('#/') || above.includes($ref)) return own;
    return { ...(inline(named($ref), [...above, $ref]) as object), ...own };
  };
  return inline(document, []) as T;
}
