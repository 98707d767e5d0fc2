import { type Logger, pino } from 'pino';
import { maskKeys } from '#src/lib/mask-keys.ts';
import type { Config } from './config.ts';
import type { Setting } from './setting-kinds.ts';
import { type SettingName, settings } from './settings.ts';

export type Log = Logger;

/**
 * One JSON line per event on stderr, with no secret in it: named fields are removed; keys, the values of
 * secret settings and what {@link hideFromLogs} was told are masked inside texts.
 */
export function openLog(config: Config, role: string): Log {
  const maskSecrets = secretsMask(config);
  return pino(
    {
      level: config.LOG_LEVEL,
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'headers["x-api-key"]',
          '*.headers["x-api-key"]',
          '*.cookie',
          '*.secret',
          '*.password',
        ],
        censor: '[removed]',
      },
      hooks: { streamWrite: (line) => maskSecrets(maskKeys(line)) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

/** Secrets that are no settings: keys of providers, which the environment holds under names that a catalogue gives. */
const hidden = new Set<string>();

/** From now on this text is masked in every log line of this process. */
export function hideFromLogs(secret: string): void {
  if (secret !== '') hidden.add(asWritten(secret));
}

/** As it stands inside a JSON text. */
const asWritten = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Masks secret settings, and what {@link hideFromLogs} was told, in a text or JSON text. */
export function secretsMask(config: Config): (line: string) => string {
  const secrets = Object.entries<Setting>(settings)
    .filter(([, { secret }]) => secret)
    .map(([name]) => config[name as SettingName])
    .filter((value) => typeof value === 'string' && value !== '')
    .map((value) => asWritten(String(value)));
  return (line) => [...secrets, ...hidden].reduce((text, secret) => text.replaceAll(secret, '[removed]'), line);
}
