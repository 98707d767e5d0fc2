import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpackDebian } from '#src/system/embedded/debian.ts';
import { programOnPath, succeeds } from '#src/system/embedded/programs.ts';

/** A zsh, and where it finds its own functions; ZSH_MODULES is for who sets its `module_path`, which it takes from no environment. */
export interface Zsh {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

const folder = join(import.meta.dirname, '../../.proofline/programs/zsh');

/** The zsh of this machine, else Debian's unpacked into our own folder without root; undefined where none can be had. */
export function zshProgram(): Zsh | undefined {
  const here = programOnPath(['zsh']);
  if (here !== undefined && succeeds(here, ['-f', '-c', 'true'])) return { path: here, env: {} };
  const kept = unpacked();
  if (kept) return kept;
  return unpackDebian({ packages: ['zsh', 'zsh-common'], folder, isUsable: () => unpacked() !== undefined })
    ? unpacked()
    : undefined;
}

function unpacked(): Zsh | undefined {
  const [path] = globSync('{usr/,}bin/zsh*', { cwd: folder }).filter((one) => /zsh5?$/.test(one));
  if (path === undefined) return undefined;
  const [modules] = globSync('usr/lib/*/zsh/*/zsh', { cwd: folder });
  const functions = globSync('usr/share/zsh/functions/**/', { cwd: folder });
  const env = {
    ...(modules !== undefined && { ZSH_MODULES: join(folder, dirname(modules)) }),
    FPATH: functions.map((one) => join(folder, one)).join(':'),
  };
  const whole = join(folder, path);
  return existsSync(whole) && succeeds(whole, ['-f', '-c', 'true'], { ...process.env, ...env })
    ? { path: whole, env }
    : undefined;
}
