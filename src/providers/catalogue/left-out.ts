/**
 * Members of a turn that change how an answer is made and not what it must hold. A model that does not know one refuses
 * the call or passes over it, so the catalogue may have them left out (`ignores`).
 */
export const omissible = ['verbosity', 'reasoning_effort', 'seed', 'user', 'parallel_tool_calls'] as const;

type Omissible = (typeof omissible)[number];
type Body = Readonly<Record<string, unknown>>;

/** A call without the members that the offer's model does not know. */
export function withoutIgnored(body: Body, { ignores = [] }: { readonly ignores?: readonly Omissible[] }): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ignores.some((one) => one === name)));
}

/** Lists the members of a call that are left out of it, by name. */
export function ignoredOf(
  body: Body,
  { ignores = [] }: { readonly ignores?: readonly Omissible[] },
): readonly string[] {
  return ignores.filter((name) => body[name] !== undefined);
}
