import type { Budget } from '#src/access/limits.ts';

/**
 * `RateLimit-Policy` and `RateLimit`, each a list of quoted policy names with parameters.
 *
 * @see draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4
 */
export function rateLimitHeaders(budgets: readonly Budget[]): Record<string, string> {
  return {
    'ratelimit-policy': budgets
      .map(({ policy, quota, windowSeconds }) => `"${policy}";q=${quota};w=${windowSeconds}`)
      .join(', '),
    ratelimit: budgets
      .map(({ policy, remaining, resetSeconds }) => `"${policy}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  };
}
