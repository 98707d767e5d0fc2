import type { Config } from '#src/system/config/config-type.ts';
import { isLoopback } from '#src/system/config/loopback.ts';
import { type PrivateIdentity, startIdentity } from '#src/system/embedded/identity.ts';
import type { Ready } from '#src/system/embedded/ready-file.ts';

/** Sign-in of a system on this machine. */
export interface SignIn {
  readonly entry: NonNullable<Ready['servers']['identity']>;
  /** Settings that the processes need to ask this provider. */
  readonly env: Readonly<Record<string, string>>;
  /** The private provider, where it is one. */
  readonly server: PrivateIdentity | null;
}

/**
 * The provider of the settings, else a private one with the person who develops here; null where others can reach this
 * system, since they would sign in over an open line.
 *
 * @throws AppError `unavailable` when the private one does not start.
 */
export async function signInOf(
  config: Config,
  home: string,
  publicUrl: string,
  say: (line: string) => void,
): Promise<SignIn | null> {
  if (config.OIDC_ISSUER !== undefined)
    return { entry: { url: config.OIDC_ISSUER, private: false, person: null }, env: {}, server: null };
  if (!isLoopback(new URL(publicUrl).hostname)) {
    say('sign-in is off: the private identity provider is for this machine alone; set OIDC_ISSUER for another');
    return null;
  }
  const server = await startIdentity(home, { callback: new URL('/auth/callback', publicUrl).href });
  const { url, people } = server;
  const [person] = people;
  return {
    entry: { url, private: true, person: person ? { email: person.email, password: person.password } : null },
    env: signInSettings(server, person?.email),
    server,
  };
}

/** Returns the settings of a private provider: the person who develops here may do everything. */
export function signInSettings(
  { url, clientId, clientSecret }: Pick<PrivateIdentity, 'url' | 'clientId' | 'clientSecret'>,
  email = '',
): Readonly<Record<string, string>> {
  return {
    OIDC_ISSUER: url,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_ALLOWLIST: email,
    OIDC_OPERATORS: email,
  };
}
