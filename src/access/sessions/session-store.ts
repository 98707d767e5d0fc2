import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { announcePurge } from '#src/access/keys/purge.ts';
import { AppError } from '#src/lib/errors.ts';
import { sessionHolder } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';

/** Stored form of a session, with the person who has signed in; null until they have. */
const StoredSession = Type.Object({
  person: Type.Union([
    Type.Null(),
    Type.Object({
      issuer: Type.String(),
      subject: Type.String(),
      email: Type.String(),
      /** Milliseconds since 1970: when they signed in, and when the session ends however much it is used. */
      since: Type.Integer(),
      until: Type.Integer(),
    }),
  ]),
});
export type StoredSession = Static<typeof StoredSession>;
export type SignedIn = NonNullable<StoredSession['person']>;

const storedSession = Compile(StoredSession);

/** Milliseconds that a person may take at the provider. */
export const signInMs = 600_000;

const place = ({ REDIS_PREFIX }: Context['config'], id: string) => `${REDIS_PREFIX}:session:${id}`;

/** Keeps a session, until it was not used for SESSION_IDLE_MINUTES or has lasted SESSION_HOURS. */
export async function writeSession({ redis, config }: Context, id: string, session: StoredSession): Promise<void> {
  await orUnavailable(redis.set(place(config, id), JSON.stringify(session), 'PX', timeLeft(config, session)));
}

/**
 * A session as it is kept; null when there is none any more. Reading it is using it.
 *
 * @throws AppError `unavailable` when Redis does not answer.
 */
export async function readSession({ redis, config }: Context, id: string): Promise<StoredSession | null> {
  const text = await orUnavailable(redis.get(place(config, id)));
  if (text === null) return null;
  const session: unknown = JSON.parse(text);
  // of another release
  if (!storedSession.Check(session)) return null;
  const left = timeLeft(config, session);
  if (left <= 0) return null;
  // makes nothing: a session that ended meanwhile stays ended
  if (session.person) await orUnavailable(redis.pexpire(place(config, id), left));
  return session;
}

/** Returns who has signed in by a session; null where it is over. Looking is not using: its time goes on. */
export async function personOf({ redis, config }: Context, id: string): Promise<SignedIn | null> {
  const text = await orUnavailable(redis.get(place(config, id)));
  const session: unknown = text === null ? null : JSON.parse(text);
  return storedSession.Check(session) && timeLeft(config, session) > 0 ? session.person : null;
}

/** Ends a session, for every process at once; what is open in its name is closed. */
export async function endSession(context: Context, id: string): Promise<void> {
  await orUnavailable(context.redis.del(place(context.config, id)));
  await announcePurge(context, sessionHolder(id));
}

/** Returns those of these sessions that are over. */
export async function endedSessions({ redis, config }: Context, ids: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(ids.map((id) => redis.exists(place(config, id))));
  return ids.filter((_, index) => there[index] === 0);
}

function timeLeft({ SESSION_IDLE_MINUTES }: Context['config'], { person }: StoredSession): number {
  return person ? Math.min(SESSION_IDLE_MINUTES * 60_000, person.until - Date.now()) : signInMs;
}

/** Turns a failure of Redis into `unavailable`. Sessions are in Redis alone: without it no session can be checked. */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  return await answer.catch((error: unknown) => {
    throw new AppError('unavailable', 'Sessions cannot be read for the moment; try again in a few seconds.', {}, error);
  });
}
