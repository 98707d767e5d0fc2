import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '#src/system/config/config-type.ts';
import { type Finding, failed, fault, ok, skipped } from './finding.ts';

const CHECK = 'secrets';

/** Says whether any other user of this machine could read a secret of the home or of the settings. */
export function checkSecrets(config: Config): Finding {
  try {
    const files = filesOf(config);
    if (files.length === 0) return skipped(CHECK, 'there are none yet: they are made at first use.');
    const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0);
    if (open.length === 0) return ok(CHECK, `${files.length} files, each for its owner alone`);
    return fault(CHECK, `others may read ${open.join(', ')}: run chmod 600 on ${open.length === 1 ? 'it' : 'them'}.`);
  } catch (error) {
    return failed(CHECK, error, 'let the user of the processes own these files.');
  }
}

/** Files with secrets that are there. */
function filesOf({ PROOFLINE_HOME, SEAL_KEY_FILE, C2PA_KEY_FILE }: Config): readonly string[] {
  const home = resolve(PROOFLINE_HOME);
  const kept = namesIn(join(home, 'secrets')).map((name) => join(home, 'secrets', name));
  const named = [SEAL_KEY_FILE, C2PA_KEY_FILE].filter((file) => file !== '').map((file) => resolve(file));
  const written = ['ready.json', 'jobs.env'].map((name) => join(home, name));
  return [...kept, ...named, ...written].filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

function namesIn(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}
