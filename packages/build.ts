import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** Packages in the order in which they need each other's types. */
export const packages = ['client', 'worker', 'react', 'worker-conformance'];

/** Compiles the packages to JavaScript with types, each into its own `dist`. @throws where one does not compile. */
export function buildPackages(): void {
  for (const name of packages) {
    const folder = join(import.meta.dirname, name);
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    const compiler = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
    // against the compiled types of the others, as their users have them
    const args = [compiler, '-p', folder, '--customConditions', 'null'];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`expected the package ${name} to compile, got:\n${stdout}`);
  }
}
