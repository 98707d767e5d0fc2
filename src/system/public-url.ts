import type { Config } from './config.ts';

/** The address of this service as the settings give it: for whom a proof is, and who issued a receipt. */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return PUBLIC_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
}
