import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from '#src/system/embedded/debian.ts';
import { programOnPath } from '#src/system/embedded/programs.ts';

/** Prometheus or its checker: this machine's, else the distribution's package unpacked into our folder; undefined where there is none. */
export function prometheusProgram(name: 'prometheus' | 'promtool'): string | undefined {
  const here = programOnPath([name]);
  if (here !== undefined) return here;
  const folder = join(import.meta.dirname, '../../.proofline/programs/prometheus');
  const path = join(folder, 'usr/bin', name);
  if (!existsSync(path)) unpackDebian({ packages: ['prometheus'], folder, isUsable: () => existsSync(path) });
  return existsSync(path) ? path : undefined;
}
