import type { Config } from '#src/system/config/config-type.ts';
import { type SettingName, settings } from '#src/system/config/settings.ts';

/**
 * The environment of a child that must have the very settings of this process, wherever ours came from. An empty
 * variable counts as not set, so it takes away what our own environment says and our settings do not.
 */
export function environmentOf(config: Config, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const own = Object.entries(settings).map(([name, { fallback }]) => {
    const value = config[name as SettingName];
    return [name, value === undefined || value === fallback ? '' : value.toString()];
  });
  return { ...env, ...Object.fromEntries(own) };
}
