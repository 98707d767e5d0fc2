/** Path of the page of error codes. */
export const errorPagePath = '/docs/errors';

/**
 * The address that says more of an error. Programs that get one code for many errors read the exact one from its
 * fragment, and which case of it from `reason`.
 *
 * @param base address of the service, without a path
 */
export function errorLink(base: string, code: string, reason?: unknown): string {
  const query = typeof reason === 'string' && /^[a-z_]{1,40}$/.test(reason) ? `?reason=${reason}` : '';
  return `${base}${errorPagePath}${query}#${code}`;
}
