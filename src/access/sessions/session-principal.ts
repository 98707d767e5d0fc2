import { type Principal, scopes } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { sessionNamed } from './cookie.ts';
import { findIdentity } from './identity-store.ts';
import { linkIssuer } from './operator-link.ts';
import { isOperator, mayEnter } from './people.ts';
import { endSession, readSession, type SignedIn } from './session-store.ts';

/**
 * Returns the signed-in person by their cookie; null where there is none, or no longer. Sessions are looked up at every
 * use, so one that ended is over for every process at once, and so is one of a person who was taken off the allowlist.
 *
 * @throws AppError `unavailable` when Redis does not answer.
 */
export async function sessionPrincipal(context: Context, cookie: string | undefined): Promise<Principal | null> {
  const { config } = context;
  const id = sessionNamed(config, cookie);
  if (id === null) return null;
  const person = (await readSession(context, id))?.person;
  if (!person) return null;
  const { issuer, subject, email } = person;
  const { mayStay, operator } = roleOf(config, person);
  const known = mayStay ? await findIdentity(context, { issuer, subject }) : null;
  if (!known) {
    await endSession(context, id);
    return null;
  }
  return {
    owner: known.owner,
    keyId: null,
    scopes,
    operator,
    human: known.human,
    session: { id, email, identity: { issuer, subject }, until: new Date(person.until) },
    tier: 'standard',
  };
}

/** Tells whether a person who has signed in may stay, and whether they are an operator, by the settings of now. */
export function roleOf(
  config: Context['config'],
  { issuer, email }: Pick<SignedIn, 'issuer' | 'email'>,
): { readonly mayStay: boolean; readonly operator: boolean } {
  // who came by a link stays until their session ends or they are removed, whatever provider there is
  const isLinked = issuer === linkIssuer;
  return {
    mayStay: isLinked || (bare(issuer) === bare(config.OIDC_ISSUER) && mayEnter(config, email)),
    operator: isLinked || isOperator(config, email),
  };
}

/** Some providers end their name with a slash that people leave out. */
const bare = (issuer: string | undefined): string | undefined => issuer?.replace(/\/$/, '');
