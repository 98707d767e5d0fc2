import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildPackages, packages } from './build.ts';
import { checkTarball } from './check-packed.ts';
import { writeProgram } from './program.ts';

/** Folder in which `npm run packages` leaves the tarballs. */
const shelf = join(import.meta.dirname, '../artifacts/packages');

/**
 * Compiles everything that others install, and packs it as npm would publish it, into a folder that has no other
 * tarballs afterwards; gives their paths.
 *
 * @throws where something does not compile, npm refuses, or a package has what it should not have or lacks what it should
 */
export function packAll(folder: string): readonly string[] {
  buildPackages();
  const program = mkdtempSync(join(tmpdir(), 'proofline-package-'));
  try {
    writeProgram(program);
    mkdirSync(folder, { recursive: true });
    for (const old of tarballs(folder)) rmSync(old);
    const folders = [...packages.map((name) => join(import.meta.dirname, name)), program];
    for (const cwd of folders)
      execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(folder)], { cwd });
    const packed = tarballs(folder);
    for (const tarball of packed) checkTarball(tarball);
    return packed;
  } finally {
    rmSync(program, { recursive: true, force: true });
  }
}

function tarballs(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(folder, name));
}

if (import.meta.main) for (const tarball of packAll(shelf)) process.stdout.write(`${tarball}\n`);
