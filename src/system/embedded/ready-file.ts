import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeHolder } from './home-lock.ts';

export interface ServerEntry {
  readonly url: string;
  /** True where `up` runs it; false where a setting named it. */
  readonly private: boolean;
}

/**
 * Addresses and keys that `up` writes once every surface answers: enough for a program to use this system. Holds
 * secrets.
 */
export interface Ready {
  readonly url: string;
  readonly keys: {
    readonly admin: string;
    readonly studio: string;
    readonly analytics: string;
    readonly jobs: string;
    /** A key bound to a verified human; null as long as there is none. */
    readonly human: string | null;
  };
  readonly servers: {
    readonly api: { readonly pid: number; readonly metrics: string };
    readonly worker: { readonly pid: number; readonly metrics: string };
    readonly postgres: ServerEntry;
    readonly redis: ServerEntry;
    /** Chain on which receipts are anchored; null where there is none. */
    readonly chain: (ServerEntry & { readonly id: string }) | null;
    /**
     * Provider at which people sign in, by its issuer, and the person that a private one knows; null where there is
     * none.
     */
    readonly identity:
      | (ServerEntry & { readonly person: { readonly email: string; readonly password: string } | null })
      | null;
  };
}

const place = (home: string): string => join(home, 'ready.json');

/** Variables for a worker or a caller of one's own, for `node --env-file` and for a shell. */
const access = (home: string): string => join(home, 'jobs.env');

/** Each written whole or not at all, readable by its owner alone. */
export function writeReady(home: string, ready: Ready): void {
  replace(access(home), `PROOFLINE_URL=${ready.url}\nPROOFLINE_KEY=${ready.keys.jobs}\n`);
  replace(place(home), `${JSON.stringify(ready, null, 2)}\n`);
}

function replace(file: string, text: string): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, file);
}

export function removeReady(home: string): void {
  for (const file of [place(home), access(home)]) rmSync(file, { force: true });
}

export function readReady(home: string): Ready | undefined {
  try {
    const ready: Ready = JSON.parse(readFileSync(place(home), 'utf8'));
    return ready;
  } catch {
    return undefined;
  }
}

/**
 * Reads what a start on this home wrote, if it still runs: the kernel knows, the process ids in the file may be
 * another's by now.
 */
export async function readyOf(home: string): Promise<Ready | undefined> {
  const holder = await homeHolder(home).catch(() => undefined);
  return holder === undefined ? undefined : readReady(home);
}
