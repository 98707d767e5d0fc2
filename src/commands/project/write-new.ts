import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '#src/lib/errors.ts';

/**
 * Writes files below a folder, all or none; only those of `replaced` may be there before.
 *
 * @throws AppError `invalid_request` that names what is in the way, or the folder that cannot be written to
 */
export function writeNew(folder: string, files: ReadonlyMap<string, string>, replaced: readonly string[]): void {
  const inTheWay = [...files.keys()].filter((file) => !replaced.includes(file) && existsSync(join(folder, file)));
  if (inTheWay.length > 0)
    throw new AppError(
      'invalid_request',
      `expected a place for new files, got ${inTheWay.join(', ')} in ${folder} already; nothing was written.`,
    );
  try {
    for (const [file, text] of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('unavailable', `expected a folder that can be written to, got ${folder} (${why}).`, {}, error);
  }
}
