import { type Scope, studioKeyScopes } from '#src/lib/principal.ts';

type StudioKeyScope = (typeof studioKeyScopes)[number];

/** Selects from the scopes of a key or person those that the studio document has, in their order. */
export function studioScopesOf({ scopes }: { readonly scopes: readonly Scope[] }): StudioKeyScope[] {
  return scopes.filter((scope) => isStudioKeyScope(scope));
}

function isStudioKeyScope(scope: Scope): scope is StudioKeyScope {
  return studioKeyScopes.some((one) => one === scope);
}
