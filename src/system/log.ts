import { type Logger, pino } from 'pino';
import { maskKeys } from '#src/lib/mask-keys.ts';
import type { Config } from './config.ts';

export type Log = Logger;

/** One JSON line per event on stderr, with no secret in it: named fields are removed, keys inside texts are masked. */
export function openLog(config: Config, role: string): Log {
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
      hooks: { streamWrite: maskKeys },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
