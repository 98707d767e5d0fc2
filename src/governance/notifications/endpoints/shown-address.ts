import type { Principal } from '#src/lib/principal.ts';

/** Checks whether a caller may see addresses of receivers whole: those who may change them. */
export function seesAddresses({ operator, scopes }: Pick<Principal, 'operator' | 'scopes'>): boolean {
  return operator || scopes.includes('jobs.manage');
}

/** The place of an address, without what only its owner should know: path and query may hold a secret. */
export function maskedAddress(address: string): string {
  const { origin, protocol, pathname } = new URL(address);
  return protocol === 'mailto:' ? `mailto:…@${pathname.split('@').at(-1) ?? ''}` : `${origin}/…`;
}
