import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

/** Installs the dependencies of a checkout where the lockfile's are not there. A package has them from whoever installed it. */
export async function installDependencies(root, env) {
  if (isCheckout(root)) await install(root, env, 'dependencies');
}

/** Tells a checkout from the package that is made of it: npm packs no lockfile. */
export const isCheckout = (root) => existsSync(join(root, 'package-lock.json'));

/** Runs `npm ci` in the folder unless what its lockfile names is installed. One process at a time, the others wait. */
export async function install(folder, env, what) {
  if (isInstalled(folder)) return;
  await withLock(`install ${folder}`, `waiting for another start that installs ${what} …`, async (lock) => {
    if (isInstalled(folder)) return;
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const since = Date.now();
    const done = progress(`installing ${what} (npm ci, up to ${Object.keys(packages).length - 1} packages)`);
    await npmCi(folder, env, lock).finally(done);
    writeFileSync(mark(folder), identity(folder));
    process.stderr.write(`installed ${what} in ${seconds(since)}\n`);
  });
}

const mark = (folder) => join(folder, 'node_modules/.installed');
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

function identity(folder) {
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  return `${process.platform} ${process.arch} ${digest}\n`;
}

function isInstalled(folder) {
  if (existsSync(mark(folder)) && readFileSync(mark(folder), 'utf8') === identity(folder)) return true;
  if (!fits(folder)) return false;
  writeFileSync(mark(folder), identity(folder));
  return true;
}

/** Whether `npm install` by hand has brought what the lockfile names; npm keeps a list of what it installed. */
function fits(folder) {
  const list = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(list)) return false;
  const there = JSON.parse(readFileSync(list, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([at, { version, optional }]) => {
    if (at === '') return true;
    if (there[at]) return there[at].version === version && existsSync(join(folder, at));
    // Packages of other platforms are left out by npm; the one for this platform must be there.
    return optional === true && !isForThisPlatform(wanted[at]);
  });
}

const isForThisPlatform = ({ os, cpu, libc }) =>
  Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc?.includes('musl'));

async function npmCi(folder, env, lock) {
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const child = spawn(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd: folder,
    env: { ...env, ...cacheFolder() },
    // npm has the lock too: one that outlives us is still writing, and the next start must wait for it.
    stdio: ['ignore', 'ignore', 'pipe', lock ?? 'ignore'],
    shell: process.platform === 'win32',
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  }).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error('npm is not on the PATH: install Node 20 or newer with npm from nodejs.org, then start again.');
  });
  if (status === 0) return;
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/EBADENGINE|A complete log/.test(line));
  throw new Error([`npm ci failed in ${basename(folder)} (exit code ${status}):`, ...lines.slice(0, 12)].join('\n'));
}

/** npm needs a place for its cache; service accounts often have no home that they may write to. */
function cacheFolder() {
  try {
    accessSync(homedir(), constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: join(dirname(dirname(fileURLToPath(import.meta.url))), '.proofline/npm-cache') };
  }
}

/** Says what is being done: counting seconds on a terminal, else one line every ten seconds. Gives the end of it. */
function progress(what) {
  const since = Date.now();
  const isTerminal = process.stderr.isTTY;
  process.stderr.write(isTerminal ? what : `${what} …\n`);
  const say = () =>
    process.stderr.write(isTerminal ? `\r${what} … ${seconds(since)}` : `  still at it after ${seconds(since)}\n`);
  const timer = setInterval(say, isTerminal ? 200 : 10_000);
  return () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write('\r\u001B[K');
  };
}
