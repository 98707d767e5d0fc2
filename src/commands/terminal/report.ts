import { CommanderError } from 'commander';
import { AppError } from '#src/lib/errors.ts';
import { explain } from './explain.ts';

/** Says on stderr why a command failed, and gives the exit code for it. */
export function report(error: unknown): number {
  // Commander has printed its own message already; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isOurs = error instanceof AppError;
  process.stderr.write(`${isOurs ? error.message : explain(error)}\n`);
  return isOurs && (error.code === 'invalid_configuration' || error.code === 'invalid_request') ? 2 : 1;
}
