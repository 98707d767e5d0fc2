import { randomBytes } from 'node:crypto';
import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { hashKey } from '#src/access/keys/key-hash.ts';
import { AppError } from '#src/lib/errors.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { keepIdentity, type Person } from './identity-store.ts';
import { noteOperatorChange, type OperatorActor } from './operator-changes.ts';
import { emailOf } from './people.ts';
import { endSession, orUnavailable } from './session-store.ts';

/**
 * Issuer of people who came by a link: the operator who may run commands beside this service's database vouches for
 * them.
 */
export const linkIssuer = 'urn:proofline:operator-link';

/** Milliseconds in which a link can be used. */
export const linkMs = 15 * 60_000;

const Link = Type.Object({ email: Type.String(), madeAt: Type.Integer() });

const check = Compile(Link);

/**
 * Kept under the HMAC of its code, so that who reads our Redis cannot use one, and a look-up's time says nothing of it.
 */
const keyOf = ({ config }: Pick<Context, 'config'>, code: string) =>
  `${config.REDIS_PREFIX}:operator-link:${hashKey(config, code).toString('base64url')}`;

/**
 * Makes a link that signs one browser in as an operator, once. The code comes after the `#`: browsers do not send it,
 * so it is in no log of a server or proxy, and programs that open links to look at them use none up. Leaves a row in
 * `operator_changes`, as using it does.
 *
 * @throws AppError `invalid_request` for what is no e-mail address, `unavailable` while Redis does not answer.
 */
export async function createOperatorLink(
  context: Context,
  email: string,
  actor: OperatorActor,
): Promise<{ readonly url: string; readonly email: string; readonly expires: Date }> {
  const known = emailOf(email);
  if (known === null)
    throw new AppError(
      'invalid_request',
      `--for: expected an e-mail address of ASCII letters such as ada@example.com, got ${JSON.stringify(email.slice(0, 100))}.`,
    );
  const code = randomBytes(32).toString('base64url');
  const madeAt = Date.now();
  const link: Static<typeof Link> = { email: known, madeAt };
  // first: a row without a link does no harm, a link without a row would
  await noteOperatorChange(context.db, known, 'link_made', actor);
  await orUnavailable(context.redis.set(keyOf(context, code), JSON.stringify(link), 'PX', linkMs));
  const url = new URL('/auth/link', publicUrlOf(context.config));
  url.hash = code;
  context.log.warn({ email: known, minutes: linkMs / 60_000 }, 'a link was made that signs in an operator, once');
  return { url: url.href, email: known, expires: new Date(madeAt + linkMs) };
}

/**
 * Uses a link up: who comes by it, and the owner of what is theirs.
 *
 * @throws AppError `forbidden` for a code that no link has, or that was used or is over; `unavailable` while Redis does
 *   not answer.
 */
export async function useOperatorLink(
  context: Context,
  code: string,
  actor: OperatorActor,
): Promise<{ readonly person: Person; readonly owner: string }> {
  // one command: of two browsers that bring it at once, one gets it
  const text = await orUnavailable(context.redis.getdel(keyOf(context, code)));
  const link: unknown = text === null ? null : JSON.parse(text);
  if (!check.Check(link))
    throw new AppError(
      'forbidden',
      'expected the code of a link that was printed in the last 15 minutes and not used, got another; print a new one with `proofline operator link`.',
      { reason: 'operator_link' },
    );
  const person = { issuer: linkIssuer, subject: link.email, email: link.email };
  await noteOperatorChange(context.db, link.email, 'link_used', actor);
  return { person, owner: await keepIdentity(context, person, true) };
}

/** Remembers which sessions came by links for a person, for as long as one of them can last. */
export async function noteLinkSession({ redis, config }: Context, { subject }: Person, id: string): Promise<void> {
  const place = sessionsOf(config, subject);
  await orUnavailable(redis.sadd(place, id));
  await orUnavailable(redis.pexpire(place, config.SESSION_HOURS * 3_600_000));
}

/**
 * Ends all sessions that came by links for this address, and what is open in their names; answers whether it was known.
 *
 * @throws AppError `unavailable` while Redis does not answer.
 */
export async function removeOperator(context: Context, email: string, actor: OperatorActor): Promise<boolean> {
  const subject = emailOf(email) ?? '';
  const removed = await context.db.transaction(async (tx) => {
    const gone = await tx.query(sql.unsafe`
      delete from identities where issuer = ${linkIssuer} and subject = ${subject}`);
    if (gone.rowCount > 0) await noteOperatorChange(tx, subject, 'removed', actor);
    return gone;
  });
  const place = sessionsOf(context.config, subject);
  for (const id of await orUnavailable(context.redis.smembers(place))) await endSession(context, id);
  await orUnavailable(context.redis.del(place));
  return removed.rowCount > 0;
}

const sessionsOf = ({ REDIS_PREFIX }: Context['config'], subject: string) => `${REDIS_PREFIX}:link-sessions:${subject}`;
