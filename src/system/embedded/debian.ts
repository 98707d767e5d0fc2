import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programOnPath, succeeds } from './programs.ts';

export interface Unpacking {
  readonly packages: readonly string[];
  /** Folder for their files. Nothing is installed, and no root is needed. */
  readonly folder: string;
  /** Completes what was unpacked before it is moved to the folder. */
  readonly finish?: (root: string) => void;
  /** Checks whether the folder holds what is wanted already. */
  readonly isUsable: () => boolean;
}

/** Unpacks packages of Debian or Ubuntu into a folder of ours; false where this machine or its network cannot. */
export function unpackDebian({ packages, folder, finish = () => {}, isUsable }: Unpacking): boolean {
  if (programOnPath(['apt-get']) === undefined || programOnPath(['dpkg-deb']) === undefined) return false;
  let work: string;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    work = mkdtempSync(`${folder}.part-`);
  } catch {
    return false; // not ours to write: the next folder may be
  }
  try {
    const root = join(work, 'root');
    if (!download(work, packages)) return false;
    for (const deb of globSync('deb/*.deb', { cwd: work })) {
      if (!succeeds('dpkg-deb', ['-x', join(work, deb), root])) return false;
    }
    finish(root);
    moveTo(root, folder, isUsable);
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Fetches the packages; with package lists of our own where the machine has none (a slim container image). */
function download(work: string, packages: readonly string[]): boolean {
  for (const name of ['lists/partial', 'cache/archives/partial', 'deb', 'root'])
    mkdirSync(join(work, name), { recursive: true });
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', ...args], { cwd: join(work, 'deb'), stdio: 'ignore', timeout: 120_000 }).status === 0;
  const own = [
    '-o',
    `Dir::State::Lists=${work}/lists`,
    '-o',
    `Dir::Cache=${work}/cache`,
    '-o',
    'APT::Sandbox::User=',
    '-o',
    'Debug::NoLocking=1',
  ];
  return apt('download', ...packages) || (apt(...own, 'update') && apt(...own, 'download', ...packages));
}

/** Two processes may unpack at once; the second one's work replaces only what does not run. */
function moveTo(root: string, folder: string, isUsable: () => boolean): void {
  if (isUsable()) return;
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(root, folder);
  } catch (error) {
    if (!isUsable()) throw error;
  }
}
