import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { availableMemory } from 'node:process';

const memory = '/dev/shm';
const leastFree = 4 * 1024 ** 3;

/**
 * Folder for the temporary files of tests: in memory where the machine has such a folder with room, else where
 * temporary files go. A new database is 600 files, and a disk takes half a second for what takes memory 20 ms.
 */
export const scratch: string = isRoomy(memory) ? memory : tmpdir();

/** Checks that files can be made and run in a folder, and that large ones do not fill it. */
function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > leastFree && availableMemory() > leastFree && runsPrograms(folder);
  } catch {
    // there is none: a Mac, or a container without
    return false;
  }
}

function runsPrograms(folder: string): boolean {
  const own = mkdtempSync(join(folder, 'proofline-probe-'));
  const program = join(own, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(own, { recursive: true });
  return status === 0;
}
