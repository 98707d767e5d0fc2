import type { Config } from '#src/system/config/config-type.ts';

/**
 * An e-mail address as it is compared: in lower case. Null for what is none, and for one with other letters than ASCII:
 * some of them (the Kelvin sign) become ASCII in lower case, and would be another person's.
 */
export function emailOf(text: unknown): string | null {
  return typeof text === 'string' && /^[!-?A-~]{1,64}@[!-?A-~]{1,255}$/.test(text) ? text.toLowerCase() : null;
}

/** Checks whether an e-mail address, in lower case, is on the allowlist, by itself or with its domain. */
export function mayEnter({ OIDC_ALLOWLIST: list }: Pick<Config, 'OIDC_ALLOWLIST'>, email: string): boolean {
  return list.includes(email) || list.includes(email.slice(email.lastIndexOf('@')));
}

export function isOperator({ OIDC_OPERATORS: list }: Pick<Config, 'OIDC_OPERATORS'>, email: string): boolean {
  return list.includes(email);
}
