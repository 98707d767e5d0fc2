import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { perContext } from '#src/system/per-context.ts';
import type { Person } from './identity-store.ts';
import { emailOf } from './people.ts';
import type { SignIn } from './sign-ins.ts';

/** Milliseconds for which we believe the provider's description of itself. */
const knownMs = 3_600_000;
const timeoutSeconds = 10;

/** The provider of the settings, as it describes itself; read once an hour, and again after a failure. */
export const providerOf = perContext(({ config }) => {
  let known: { readonly at: number; readonly found: Promise<Configuration> } | null = null;
  return async (): Promise<Configuration> => {
    if (known && performance.now() - known.at < knownMs) return await known.found;
    const mine = { at: performance.now(), found: discover(config) };
    known = mine;
    return await mine.found.catch((error: unknown) => {
      if (known === mine) known = null;
      throw error;
    });
  };
});

async function discover(config: Config): Promise<Configuration> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = config;
  if (issuer === undefined)
    throw new AppError(
      'not_found',
      'expected a service with an identity provider, got one without OIDC_ISSUER: set it, or print a one-time link for an operator with `proofline operator link` (docs/sign-in.md).',
    );
  // settings take http for this machine alone
  const plain = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  const found = await discovery(new URL(issuer), id, undefined, None(), {
    execute: plain,
    timeout: timeoutSeconds,
  }).catch((error: unknown) => {
    throw away(error);
  });
  const server = found.serverMetadata();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const secretly = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
  const client = new Configuration(server, id, undefined, secret === '' ? None() : secretly);
  client.timeout = timeoutSeconds;
  for (const allow of plain) allow(client);
  return client;
}

/** Returns the address to send a browser to, and what to remember until it comes back. */
export async function startSignIn(
  provider: Configuration,
  callback: string,
  prompt: string | undefined,
): Promise<{ readonly url: string; readonly state: string } & Pick<SignIn, 'nonce' | 'verifier'>> {
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const url = buildAuthorizationUrl(provider, {
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(prompt !== undefined && { prompt }),
  });
  return { url: url.href, state, nonce, verifier };
}

/**
 * Returns the person who comes back from the provider, by the address that it sent their browser to.
 *
 * @throws AppError `forbidden` where the provider refused, or has not verified an e-mail address; `invalid_request` for
 *   an answer that does not belong to this sign-in or was used; `unavailable` when the provider does not answer.
 */
export async function finishSignIn(
  provider: Configuration,
  answer: URL,
  state: string,
  { nonce, verifier }: Pick<SignIn, 'nonce' | 'verifier'>,
): Promise<Person> {
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  const tokens = await authorizationCodeGrant(provider, answer, checks).catch((error: unknown) => {
    throw understood(error);
  });
  const claims = tokens.claims();
  if (!claims) throw misfit(null);
  const profile = await emailClaims(provider, claims, tokens.access_token);
  const email = emailOf(profile['email']);
  if (email === null || profile['email_verified'] !== true)
    throw new AppError('forbidden', 'expected an e-mail address that your provider has verified, got none.', {
      reason: 'unverified_email',
    });
  return { issuer: claims.iss, subject: claims.sub, email };
}

/**
 * Reads the claims with the e-mail address. Providers put it into the ID token, or answer it to a request with the
 * access token.
 */
async function emailClaims(
  provider: Configuration,
  claims: Readonly<Record<string, unknown>> & { readonly sub: string },
  accessToken: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (claims['email'] !== undefined || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
  return await fetchUserInfo(provider, accessToken, claims.sub).catch((error: unknown) => {
    throw understood(error);
  });
}

function understood(error: unknown): AppError {
  if (error instanceof AuthorizationResponseError) {
    const why = /^[a-z_]{1,50}$/.test(error.error) ? error.error : 'an error';
    return new AppError(
      'forbidden',
      `expected the provider to let you in, got ${why}; start again at /auth/sign-in.`,
      { reason: 'sign_in_refused' },
      error,
    );
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return isUnavailable(error, code) ? away(error) : misfit(error);
}

/** A request that broke off is a TypeError of fetch; wrong use of the library is one with a code. */
function isUnavailable(error: unknown, code: unknown): boolean {
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && code === undefined);
}

function away(error: unknown): AppError {
  return new AppError(
    'unavailable',
    'The identity provider does not answer as it should; try again in a few seconds.',
    {},
    error,
  );
}

function misfit(error: unknown): AppError {
  const message =
    'expected the answer to a sign-in that you began, got another, or one that was used; start again at /auth/sign-in.';
  return new AppError('invalid_request', message, {}, error ?? undefined);
}
