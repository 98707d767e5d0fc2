import type { IsolatedProgram } from '#workers/run/isolated-process.ts';

/** Set in a process in which suspects run; no setting of ours, so it is gone before settings are read. */
const VARIABLE = 'PROOFLINE_SUSPECTS_OF';

const suspectsOf = process.env[VARIABLE];
delete process.env[VARIABLE];

/** The fleet whose suspects this process is to run; undefined in any other process. */
export const isolatedFleet: string | undefined = suspectsOf;

/**
 * The program that is started again for suspects: what has called `serve`, with the same arguments.
 *
 * @param program a file to start in its place
 * @throws TypeError where this process runs no file
 */
export function programOf(fleet: string, program: string | URL | undefined): IsolatedProgram {
  const file = program ?? process.argv[1];
  if (file === undefined)
    throw new TypeError(
      'program: expected a program in a file, since it is started again for jobs whose process died; got one without (--eval): name the file.',
    );
  const args = program === undefined ? process.argv.slice(2) : [];
  return { file, args, env: { [VARIABLE]: fleet } };
}
