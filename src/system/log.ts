import { type Logger, pino } from 'pino';
import { maskKeys } from '#src/lib/mask-keys.ts';
import type { Config } from './config.ts';
import type { Setting } from './setting-kinds.ts';
import { type SettingName, settings } from './settings.ts';

export type Log = Logger;

/**
 * One JSON line per event on stderr, with no secret in it: named fields are removed; keys, and the values of
 * secret settings, are masked inside texts.
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

function secretsMask(config: Config): (line: string) => string {
  const secrets = Object.entries<Setting>(settings)
    .filter(([, { secret }]) => secret)
    .map(([name]) => config[name as SettingName])
    .filter((value) => typeof value === 'string' && value !== '')
    // as it stands inside a JSON text
    .map((value) => JSON.stringify(value).slice(1, -1));
  return (line) => secrets.reduce((text, secret) => text.replaceAll(secret, '[removed]'), line);
}
