import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'proofline-';
/** Name of a folder: its use, its machine, and the number and start of the process that made it. */
const named = /^proofline-[a-z]+-([0-9a-f]{8})-(\d+)-(\d+)-\w{6}$/;
/** Names of an earlier release, which say nothing of their process. */
const nameless = /^proofline-(?:media|fonts|demo|dump)-\w{6}$/;
/** Nothing that uses such a folder takes so long, in milliseconds; a process of another machine cannot be asked. */
const MOST_MS = 7 * 24 * 3_600_000;

/**
 * Makes a folder for files that are needed for a while only. Its name says which process it is of, so that
 * {@link removeLeftFolders} finds it when that process was killed; otherwise the caller removes it.
 *
 * @param use one lower-case word, such as `media`
 */
export function makeTemporaryFolder(use: string, parent: string = tmpdir()): string {
  return mkdtempSync(join(parent, `${prefix}${use}-${machine()}-${process.pid}-${startOf(process.pid) ?? 0}-`));
}

/**
 * Removes folders of {@link makeTemporaryFolder} whose process is gone. One whose process lives, or of which that
 * cannot be told, stays; so does what belongs to another user. Returns the removed ones.
 */
export function removeLeftFolders(parent: string = tmpdir()): readonly string[] {
  return namesIn(parent).flatMap((name) => {
    const folder = join(parent, name);
    try {
      const about = lstatSync(folder);
      if (!about.isDirectory() || about.uid !== (process.getuid?.() ?? about.uid)) return [];
      if (!isLeft(name, about.mtimeMs)) return [];
      rmSync(folder, { recursive: true, force: true });
      return [folder];
    } catch {
      // another process removes it at this moment, or it is not ours to remove
      return [];
    }
  });
}

function namesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}

function isLeft(name: string, changedAt: number): boolean {
  const isOld = Date.now() - changedAt > MOST_MS;
  const [, of, pid, start] = named.exec(name) ?? [];
  if (of === undefined) return nameless.test(name) && isOld;
  if (of !== machine()) return isOld;
  return !isAlive(Number(pid), start ?? '0');
}

/** Checks whether the very process lives: its number may have gone to another one since. */
function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // of another user: it lives
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  const now = startOf(pid);
  return now === null || start === '0' || now === start;
}

/** The start of a process, in ticks since that of the machine; null where the system does not say. */
function startOf(pid: number): string | null {
  // the name of the program comes second, in brackets, and may have spaces and brackets of its own
  const fields = readOr(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  return fields?.[19] ?? null;
}

let known: string | undefined;

/**
 * Names the space in which numbers of processes are unique: this machine since its last start, and the container.
 * Containers may share a folder, and not their numbers.
 */
function machine(): string {
  known ??= createHash('sha256')
    .update([hostname(), readOr('/proc/sys/kernel/random/boot_id'), linkOr('/proc/self/ns/pid')].join(' '))
    .digest('hex')
    .slice(0, 8);
  return known;
}

const readOr = (path: string) => orNull(() => readFileSync(path, 'utf8'));
const linkOr = (path: string) => orNull(() => readlinkSync(path));

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
