import type { FastifyRequest } from 'fastify';
import { configuredUrl, type PublicUrls, publicOrigins, type Surface } from '#src/system/config/public-url.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** {@link baseOf} by the settings of this process. */
    baseOf: (request: Pick<FastifyRequest, 'protocol' | 'host'>, surface?: Surface) => string;
  }
}

/**
 * Returns the address of a surface for this caller, without a path: as configured, else as requested. Without a surface
 * it is the address of the service: the configured one that was requested, else `PUBLIC_URL`.
 */
export function baseOf(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  config: PublicUrls,
  surface?: Surface,
): string {
  const requested = `${protocol}://${host}`;
  if (surface === undefined && publicOrigins(config).includes(requested)) return requested;
  const url = configuredUrl(config, surface);
  return url === undefined ? requested : new URL(url).origin;
}
