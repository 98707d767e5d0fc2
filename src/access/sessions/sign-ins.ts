import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Context } from '#src/system/context.ts';
import { sessionId } from './cookie.ts';
import { orUnavailable, signInMs } from './session-store.ts';

/** State to remember of a person who is at the provider. */
const SignIn = Type.Object({
  nonce: Type.String(),
  verifier: Type.String(),
  /** The session of the browser that went there: the same must come back. */
  browser: Type.String(),
  returnTo: Type.String(),
});
export type SignIn = Static<typeof SignIn>;

const check = Compile(SignIn);

const place = ({ REDIS_PREFIX }: Context['config'], state: string) => `${REDIS_PREFIX}:sign-in:${sessionId(state)}`;

export async function keepSignIn({ redis, config }: Context, state: string, signIn: SignIn): Promise<void> {
  await orUnavailable(redis.set(place(config, state), JSON.stringify(signIn), 'PX', signInMs));
}

/** The sign-in of this state, for the browser that began it; once, and never again. Null where there is none. */
export async function takeSignIn({ redis, config }: Context, state: string, browser: string): Promise<SignIn | null> {
  const text = await orUnavailable(redis.getdel(place(config, state)));
  const signIn: unknown = text === null ? null : JSON.parse(text);
  return check.Check(signIn) && signIn.browser === browser ? signIn : null;
}
