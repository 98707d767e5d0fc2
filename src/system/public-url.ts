import type { Config } from './config.ts';
import { reachableHost } from './loopback.ts';

/** The address of this service as the settings give it: for whom a proof is, who issued a receipt, where people come back to. */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return PUBLIC_URL ?? `http://${reachableHost(HOST)}:${PORT}`;
}
