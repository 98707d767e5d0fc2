import { type Logger, pino } from 'pino';
import { maskKeys } from '#src/lib/crypto/mask-keys.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Setting } from '#src/system/config/setting-kinds.ts';
import { type SettingName, settings } from '#src/system/config/settings.ts';
import { logDestination } from './log-destination.ts';

export type Log = Logger;

/**
 * One JSON line per event on stderr, with no secret in it: named fields are removed; keys, the values of secret
 * settings and the texts of {@link hideFromLogs} are masked inside texts. A line that cannot be written is dropped.
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
    logDestination(2),
  );
}

/** Secrets that are no settings: keys of providers, which the environment holds under names that a catalogue gives. */
const hidden = new Set<string>();

/** From now on this text is masked in every log line of this process. */
export function hideFromLogs(secret: string): void {
  if (secret !== '') hidden.add(asWritten(secret));
}

/** Escapes a text as inside a JSON text. */
const asWritten = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Shorter ones are found in many words that hide nothing. */
const LEAST_PASSWORD = 6;

/** The password inside an address, as it is written there and as it is sent: drivers name it alone in their errors. */
function passwordsOf(value: string): readonly string[] {
  const password = URL.parse(value)?.password ?? '';
  return [password, decoded(password)].filter((text) => text.length >= LEAST_PASSWORD);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Masks secret settings, and the texts of {@link hideFromLogs}, in a text or JSON text. */
export function secretsMask(config: Config): (line: string) => string {
  const secrets = Object.entries<Setting>(settings)
    .filter(([, { secret }]) => secret)
    .map(([name]) => config[name as SettingName])
    .filter((value) => typeof value === 'string' && value !== '')
    .flatMap((value) => [String(value), ...passwordsOf(String(value))])
    .map(asWritten);
  return (line) => [...secrets, ...hidden].reduce((text, secret) => text.replaceAll(secret, '[removed]'), line);
}
