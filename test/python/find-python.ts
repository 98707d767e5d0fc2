import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The folder of the library. */
export const library = join(import.meta.dirname, '../../python');

const isNewEnough = 'import sys; sys.exit(sys.version_info < (3, 11))';

/** A Python on the PATH on which the library runs; undefined where there is none. */
export const python = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) =>
    ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'].map((name) => join(folder, name)),
  )
  .find((path) => spawnSync(path, ['-c', isNewEnough]).status === 0);

/** Environment of its programs, which leave nothing behind in the checkout. */
export const pythonEnv: NodeJS.ProcessEnv = { ...process.env, PYTHONPATH: library, PYTHONDONTWRITEBYTECODE: '1' };
