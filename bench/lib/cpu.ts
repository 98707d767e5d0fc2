import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of `/proc` a second, on every Linux that Node runs on. */
const TICKS = 100;

/** Processor time that a process has used by itself, in ms; 0 of one that is gone. */
export function ownCpuMs(pid: number): number {
  return ((statOf(pid)?.used ?? 0) / TICKS) * 1_000;
}

/** Processor time that a server and its children have used, in ms; NaN where there is no `/proc`. */
export function cpuMs(pid: number): number {
  const own = statOf(pid);
  if (!own) return Number.NaN;
  let ticks = own.used + own.ofEnded;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const other = statOf(Number(name));
    if (other?.parent === pid) ticks += other.used;
  }
  return (ticks / TICKS) * 1_000;
}

function statOf(pid: number): { parent: number; used: number; ofEnded: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return { parent: at(1), used: at(11) + at(12), ofEnded: at(13) + at(14) };
  } catch {
    return undefined;
  }
}
