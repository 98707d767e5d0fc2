import type { FastifyRequest } from 'fastify';
import type { Config } from '#src/system/config.ts';

/** Where the service is for whoever asks, without a path: as configured, else as asked. */
export function baseOf(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
): string {
  return PUBLIC_URL ? new URL(PUBLIC_URL).origin : `${protocol}://${host}`;
}
