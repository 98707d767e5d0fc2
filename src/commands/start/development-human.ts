import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { createInvite } from '#src/access/humans/invites.ts';
import { selectHumans } from '#src/access/humans/store/human-store.ts';
import { hasProver, howToInstallProver } from '#src/commands/client/prover.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import type { Context } from '#src/system/context.ts';
import { readSecret, replaceSecret } from '#src/system/embedded/secrets.ts';

const program = join(import.meta.dirname, '../../cli.ts');
const guard = pathToFileURL(join(import.meta.dirname, '../../../bin/end-with-parent.mjs')).href;
const longestMs = 120_000;

export interface Neighbourhood {
  readonly home: string;
  /** Address where the API listens here, and the one that it gives as its own. */
  readonly url: string;
  readonly audience: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
}

/** The identity of the person who develops on this machine, in their home. */
export const identityFile = (home: string): string => join(home, 'identity.json');

/**
 * The human of a system on one machine, who enrolled as any other: with an invite and a proof, over the API. Their id;
 * null, with a line that says why, where the prover is not installed or the enrolment failed. One who was removed, or
 * belongs to another database, is made anew.
 */
export async function developmentHuman(context: Context, where: Neighbourhood): Promise<string | null> {
  const { home, say } = where;
  const known = await selectHumans(context.db);
  const kept = readSecret(home, 'development-human');
  const found = known.find(({ nullifier }) => hexOf(nullifier) === kept);
  if (found && !found.revoked_at) return hexOf(found.nullifier);
  if (!hasProver()) {
    say(`no development human: ${howToInstallProver}`);
    return null;
  }
  // who was removed can never enrol again
  if (found) rmSync(identityFile(home), { force: true });
  say('enrolling the development human …');
  const { code } = await createInvite(context, {
    label: 'development',
    createdBy: 'proofline up',
    tier: 'high',
    days: 1,
  });
  const { exit, output, errors } = await enrol(where, code);
  if (exit === 0) return replaceSecret(home, 'development-human', output.trim());
  say(`no development human: ${errors.trim()}`);
  return null;
}

/** In a process of its own: proving takes hundreds of megabytes, which go with it. */
async function enrol({ url, audience, home, env }: Neighbourhood, code: string) {
  const args = [
    'human',
    'enrol',
    '--url',
    url,
    '--audience',
    audience,
    '--identity',
    identityFile(home),
    '--invite',
    '-',
  ];
  const child = spawn(process.execPath, ['--import', guard, program, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  child.stdin!.end(code);
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', () => resolve(null));
  });
  const [output, errors, exit] = await Promise.all([readAll(child.stdout!), readAll(child.stderr!), closed]);
  return { output, errors: errors || `it ended with ${exit}`, exit };
}
