import { format } from 'node:util';
import { describeDiskFull } from '#src/lib/disk-full.ts';
import type { Log } from './log.ts';

const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

/**
 * Makes the log of this process the one place where it says something: what libraries print, the runtime's warnings, and
 * an uncaught error, which ends it.
 */
export function takeOutput(log: Log): void {
  for (const [name, level] of Object.entries(levels))
    Object.assign(console, { [name]: (...parts: unknown[]) => log[level]({ printed: true }, format(...parts)) });
  process
    .removeAllListeners('warning')
    .on('warning', (warning) => log.warn({ err: warning }, 'a warning of the runtime'));
  // a full disk below them must not end the process
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, describeDiskFull(error) ?? 'this process ends: an error was not caught');
    process.exit(1);
  });
}
