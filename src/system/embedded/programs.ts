import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const alsoHere = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin'];

/** The first of these programs that this machine can run, as an absolute path. */
export function programOnPath(names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...alsoHere];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Checks whether a command runs and exits with status 0. */
export function succeeds(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): boolean {
  return spawnSync(program, args, { env, cwd: '/', stdio: 'ignore', timeout: 10_000 }).status === 0;
}
