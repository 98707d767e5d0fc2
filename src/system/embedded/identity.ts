import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#src/lib/errors.ts';
import { replacePrivateFile } from '#src/system/config/private-file.ts';
import { endLeftOver } from './left-over.ts';
import { choosePort } from './ports.ts';
import { storedSecret } from './secrets.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** A private identity provider (OpenID Connect), for people of this machine alone. */
export interface PrivateIdentity extends ServerProcess {
  /** Its issuer. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly people: readonly PrivatePerson[];
}

/** A person who can sign in there. */
export interface PrivatePerson {
  readonly subject: string;
  readonly email: string;
  readonly verified: boolean;
  readonly password: string;
}

export interface IdentityOptions {
  /** Address to which browsers are sent back. */
  readonly callback: string;
  /** The person who develops on this machine, unless others are named. */
  readonly people?: readonly PrivatePerson[];
  /** True where the server must outlive a killed starter (tests of what the next start does). */
  readonly outlives?: boolean;
}

/** Settings that the server's process reads. */
export interface IdentitySettings extends Pick<PrivateIdentity, 'clientId' | 'clientSecret' | 'people'> {
  readonly port: number;
  readonly callback: string;
  readonly cookieKey: string;
  /** Private key that it signs with, as JWK. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

export const developerEmail = 'developer@proofline.local';

/** Our name there. */
export const clientId = 'proofline';
const program = join(import.meta.dirname, './identity-server.ts');

/**
 * Starts the private identity provider of this home on a free port of the loopback address. Its keys and its people's
 * passwords are the same at every start; who is signed in there is forgotten. It ends with this process.
 *
 * @throws AppError `unavailable` when it does not start.
 */
export async function startIdentity(
  home: string,
  { callback, people, outlives }: IdentityOptions,
): Promise<PrivateIdentity> {
  mkdirSync(join(home, 'identity'), { recursive: true, mode: 0o700 });
  const folder = realpathSync(join(home, 'identity'));
  const file = join(folder, 'settings.json');
  await endLeftOver(join(folder, 'pid'), file, 'SIGTERM');
  const known = {
    callback,
    clientId,
    clientSecret: storedSecret(home, 'identity-client'),
    cookieKey: storedSecret(home, 'identity-cookie'),
    jwk: JSON.parse(storedSecret(home, 'identity-key', newKey)),
    people: people ?? [developer(home)],
  };
  for (let left = 5; ; left -= 1) {
    const port = await choosePort(join(folder, 'port'));
    const url = `http://127.0.0.1:${port}`;
    // in a file, because every user of the machine can read a command line
    replacePrivateFile(file, JSON.stringify({ ...known, port } satisfies IdentitySettings));
    try {
      const server = await startServer({
        name: 'identity provider',
        argv: [process.execPath, program, file],
        env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
        log: join(folder, 'server.log'),
        stopSignal: 'SIGTERM',
        outlives,
        isReady: () => answers(`${url}/.well-known/openid-configuration`),
      });
      writeFileSync(join(folder, 'pid'), `${server.pid}\n`);
      return { ...server, url, clientId, clientSecret: known.clientSecret, people: known.people };
    } catch (error) {
      const portTaken = error instanceof AppError && error.message.includes('EADDRINUSE');
      if (!portTaken || left === 0) throw error;
    }
  }
}

/** The person who develops on this machine. */
function developer(home: string): PrivatePerson {
  return {
    subject: 'developer',
    email: developerEmail,
    verified: true,
    password: storedSecret(home, 'identity-developer'),
  };
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return JSON.stringify({ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' });
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}
