import { globSync } from 'node:fs';
import { join } from 'node:path';
import { succeeds } from '#src/system/embedded/programs.ts';

const root = join(import.meta.dirname, '../../../node_modules');

/** A program that runs JavaScript from a file. */
export interface Runtime {
  readonly name: string;
  /** Its program; undefined where this machine can run none of those that are installed. */
  readonly path: string | undefined;
  /** Arguments before the file. */
  readonly args: readonly string[];
}

/** The program in one of these files; the package of each runtime has a package for each platform. */
function programAmong(...patterns: readonly string[]): string | undefined {
  return globSync(patterns, { cwd: root })
    .map((path) => join(root, path))
    .find((path) => succeeds(path, ['--version']));
}

/** Every runtime that the client is said to run in, but browsers. */
export function runtimes(): readonly Runtime[] {
  return [
    { name: 'Node', path: process.execPath, args: [] },
    // it may do nothing that it is not allowed: the client needs the network alone
    { name: 'Deno', path: programAmong('@deno/*/deno'), args: ['run', '--no-prompt', '--allow-net=127.0.0.1'] },
    { name: 'Bun', path: programAmong('@oven/bun-*/bin/bun'), args: ['run'] },
  ];
}
