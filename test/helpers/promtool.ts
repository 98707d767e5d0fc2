import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from '#src/system/embedded/debian.ts';
import { programOnPath } from '#src/system/embedded/programs.ts';

/** Prometheus' own checker: this machine's, else the distribution's package unpacked into our folder; undefined where there is none. */
export function promtool(): string | undefined {
  const here = programOnPath(['promtool']);
  if (here !== undefined) return here;
  const folder = join(import.meta.dirname, '../../.proofline/programs/prometheus');
  const path = join(folder, 'usr/bin/promtool');
  if (!existsSync(path)) unpackDebian({ packages: ['prometheus'], folder, isUsable: () => existsSync(path) });
  return existsSync(path) ? path : undefined;
}
