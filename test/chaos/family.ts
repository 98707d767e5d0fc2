import { execFileSync } from 'node:child_process';

/** A process and its children: stopping the postmaster alone would leave the backends of Postgres at work. */
export function familyOf(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...rows.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))];
}
