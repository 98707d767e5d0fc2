import type { Setting } from './setting-kinds.ts';
import type { SettingName, settings } from './settings.ts';

type ValueOf<S> = S extends Setting<infer V> ? V : never;

/** The settings of this process, by environment name. Frozen. */
export type Config = { readonly [N in SettingName]: ValueOf<(typeof settings)[N]> };
