import type { Config } from './config-type.ts';
import { reachableHost } from './loopback.ts';

export type Surface = Config['SURFACES'][number];

/** Settings that give each surface an address of its own. */
const ownAddress = {
  studio: 'STUDIO_PUBLIC_URL',
  missions: 'MISSIONS_PUBLIC_URL',
  platform: 'PLATFORM_PUBLIC_URL',
  analytics: 'ANALYTICS_PUBLIC_URL',
} as const satisfies Readonly<Record<Surface, keyof Config>>;

export type PublicUrls = Pick<Config, 'PUBLIC_URL' | (typeof ownAddress)[Surface]>;

/** The address that the settings give a surface, or the service; undefined where they give none. */
export function configuredUrl(config: PublicUrls, surface?: Surface): string | undefined {
  return (surface && config[ownAddress[surface]]) ?? config.PUBLIC_URL;
}

/** Every address that the settings give, as origins. */
export function publicOrigins(config: PublicUrls): readonly string[] {
  const urls = [config.PUBLIC_URL, ...Object.values(ownAddress).map((name) => config[name])];
  return [...new Set(urls.flatMap((url) => (url === undefined ? [] : [new URL(url).origin])))];
}

/**
 * The address of this service as the settings give it: for whom a proof is, who issued a receipt, where people sign in. With
 * a surface, that of its links.
 */
export function publicUrlOf(config: PublicUrls & Pick<Config, 'HOST' | 'PORT'>, surface?: Surface): string {
  return configuredUrl(config, surface) ?? `http://${reachableHost(config.HOST)}:${config.PORT}`;
}
