import { answerSentence } from '#src/commands/terminal/failure.ts';
import { AppError } from '#src/lib/errors.ts';

/** A person who has signed in, as a browser of theirs would call. */
export interface SignedIn {
  /** @throws AppError `unavailable` with the sentence of the answer when it is none of success. */
  readonly call: <T>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<T>;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A sign-in that goes further than this goes in a circle. */
const MOST_HOPS = 20;

/**
 * Signs a person in over the private identity provider of a system on this machine: the way that a browser goes, with
 * its form filled in. Other providers have pages of their own, which only a browser can show.
 *
 * @throws AppError `unavailable` where the service or the provider does not let them in.
 */
export async function signInAs(url: string, { email, password }: Credentials): Promise<SignedIn> {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = ({ host }: URL) => jars.getOrInsertComputed(host, () => new Map<string, string>());
  const send = async (address: URL, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...jarOf(address)].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jarOf(address).delete(name);
      else jarOf(address).set(name, value);
    }
    return answer;
  };

  let address = new URL('/auth/sign-in', url);
  for (let hop = 0; ; hop++) {
    const isForm = address.pathname.startsWith('/interaction/');
    const answer = await send(
      address,
      isForm ? { method: 'POST', body: new URLSearchParams({ email, password }) } : {},
    );
    const next = answer.headers.get('location');
    if (next === null || hop === MOST_HOPS)
      throw new AppError(
        'unavailable',
        `expected to be sent on from ${address.origin}${address.pathname}, got ${answer.status}.`,
      );
    const to = new URL(next, address);
    // behind the callback the session is there
    if (address.pathname === '/auth/callback') break;
    address = to;
  }

  const call = async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
    const session = await send(new URL('/auth/session', url));
    const { csrf_token: token } = (await session.json()) as { csrf_token: string };
    const answer = await send(new URL(path, url), {
      method,
      headers: {
        origin: new URL(url).origin,
        'x-csrf-token': token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text) as T;
    throw new AppError('unavailable', `${method} ${path} was answered with ${answer.status}: ${answerSentence(text)}`);
  };
  return { call };
}
