import { readdirSync, readFileSync } from 'node:fs';
import { ownCpuMs } from './cpu.ts';

/** Memory of one process: its share of what it has in common with others, and all that it has mapped in. MB. */
export interface ProcessMemory {
  readonly pid: number;
  readonly command: string;
  readonly pssMb: number;
  readonly rssMb: number;
}

/** A process and all that it and its children have started. Linux only. */
export function processTree(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [, fields = ''] = /\) (.*)$/s.exec(read(`/proc/${name}/stat`)) ?? [];
    parents.set(Number(name), Number(fields.split(' ')[1]));
  }
  const tree = [root];
  for (const one of tree) for (const [pid, parent] of parents) if (parent === one) tree.push(pid);
  return tree;
}

/** Memory of every process of a tree that is still there. */
export function memoryOf(tree: readonly number[]): readonly ProcessMemory[] {
  return tree.flatMap((pid) => {
    const text = read(`/proc/${pid}/smaps_rollup`);
    const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN) / 1_024;
    if (Number.isNaN(mb('Pss'))) return [];
    const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    return [{ pid, command, pssMb: mb('Pss'), rssMb: mb('Rss') }];
  });
}

/** Share of one core that the processes of a tree used while something was waited for, those that ended meanwhile aside. */
export async function coreShare(root: number, wait: () => Promise<unknown>): Promise<number> {
  const used = () => processTree(root).map((pid) => [pid, ownCpuMs(pid)] as const);
  const before = new Map(used());
  const since = performance.now();
  await wait();
  const after = used();
  const ms = after.reduce((sum, [pid, now]) => sum + now - (before.get(pid) ?? 0), 0);
  return ms / (performance.now() - since);
}

/** Text of a file of a process; empty once that is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
