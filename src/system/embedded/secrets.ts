import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A random secret of 192 bits, in characters that need no quoting in an address. */
export const newSecret = (): string => randomBytes(24).toString('base64url');

/**
 * The secret kept under this name in the home's `secrets` folder (readable by its owner alone); made at first use.
 * Two processes that ask at once get the same one.
 */
export function storedSecret(home: string, name: string, make: () => string = newSecret): string {
  return readSecret(home, name) ?? keepSecret(home, name, make());
}

/** The secret kept under this name, if there is one. */
export function readSecret(home: string, name: string): string | undefined {
  try {
    return readFileSync(join(home, 'secrets', name), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Keeps a secret unless there is one of this name already; gives the one that is kept. */
export function keepSecret(home: string, name: string, secret: string): string {
  const folder = join(home, 'secrets');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const part = join(folder, `${name}.${newSecret()}.part`);
  const file = openSync(part, 'wx', 0o600);
  writeSync(file, `${secret}\n`);
  fsyncSync(file);
  closeSync(file);
  try {
    // A link appears whole or not at all, and never replaces what another process has kept meanwhile.
    linkSync(part, join(folder, name));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(part);
  }
  return readSecret(home, name) ?? secret;
}

/** Keeps a secret in the place of the one there was. Only for the process that holds the home. */
export function replaceSecret(home: string, name: string, secret: string): string {
  rmSync(join(home, 'secrets', name), { force: true });
  return keepSecret(home, name, secret);
}
