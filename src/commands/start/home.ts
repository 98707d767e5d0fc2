import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#src/lib/errors.ts';

/**
 * Makes the folder of a home, and those above it, for its owner alone. One at a time: Node's own recursive way tries
 * for ever where the kernel says that the folder above does not exist although it does, as below /proc.
 *
 * @throws AppError `invalid_configuration` when it cannot be made.
 */
export function makeHome(home: string): void {
  try {
    make(home);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'invalid_configuration',
      `PROOFLINE_HOME: expected a folder that exists or can be made, got ${JSON.stringify(home)} (${why}).`,
      { variable: 'PROOFLINE_HOME' },
      error,
    );
  }
}

function make(folder: string): void {
  const known = statSync(folder, { throwIfNoEntry: false });
  if (known?.isDirectory()) return;
  if (known) throw new Error('it is no folder');
  if (dirname(folder) !== folder) make(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // another start made it meanwhile
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
