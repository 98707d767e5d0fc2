import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Ends a server that an earlier, killed process left behind, and removes its file: the process whose id is in the
 * first line, but only if its command line names `mark`. Numbers are used again, so the id alone proves nothing.
 */
export async function endLeftOver(pidFile: string, mark: string, signal: NodeJS.Signals): Promise<void> {
  const pid = Number.parseInt(readOrEmpty(pidFile), 10);
  if (pid > 1 && isServer(pid, mark)) await end(pid, mark, signal);
  // A server does not start when the file names any process of its user that runs.
  rmSync(pidFile, { force: true });
}

async function end(pid: number, mark: string, signal: NodeJS.Signals): Promise<void> {
  process.kill(pid, signal);
  const deadline = performance.now() + 15_000;
  while (isServer(pid, mark)) {
    if (performance.now() > deadline) process.kill(pid, 'SIGKILL');
    await sleep(10);
  }
}

/** Checks whether the process runs and was started with `mark` on its command line. */
function isServer(pid: number, mark: string): boolean {
  if (process.platform === 'linux') return readOrEmpty(`/proc/${pid}/cmdline`).includes(mark);
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(mark);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
