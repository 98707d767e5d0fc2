import type { FastifyInstance, InjectOptions } from 'fastify';
import type { PrivatePerson } from '#src/system/embedded/identity.ts';

/** Answer that a page got. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly location: string | null;
  readonly cookies: readonly string[];
  readonly text: string;
  readonly json: () => Record<string, unknown>;
}

/** A browser with one person at it: cookies, and no more of a browser than signing in needs. */
export interface Browser {
  /** Cookies by host and name; shared with no other page. */
  readonly jar: Map<string, Map<string, string>>;
  readonly get: (path: string) => Promise<Answer>;
  /** As a page of this service sends it, with the token of the session unless another is named. */
  readonly send: (
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    headers?: object,
  ) => Promise<Answer>;
  /** Goes to the provider and stops where it would send us back: that address, which was not opened. */
  readonly toProvider: (person: PrivatePerson, options?: TripOptions) => Promise<string>;
  /** The whole way; the answer of the callback. */
  readonly signIn: (person: PrivatePerson, options?: TripOptions) => Promise<Answer>;
}

export interface TripOptions {
  readonly query?: string;
  /** Changes the address of the provider before it is opened. */
  readonly tamper?: (address: URL) => void;
}

/** `origin` is the address of the service, whether it listens there or not. */
export function openBrowser(app: FastifyInstance, origin: string): Browser {
  const jar = new Map<string, Map<string, string>>();
  const cookiesOf = (host: string) => jar.getOrInsertComputed(host, () => new Map());
  const keep = (host: string, lines: readonly string[]) => {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const isOver =
        /; max-age=0(;|$)/i.test(line) || Date.parse(/expires=([^;]+)/i.exec(line)?.[1] ?? '') < Date.now();
      if (isOver) cookiesOf(host).delete(name);
      else cookiesOf(host).set(name, value);
    }
  };
  const cookieHeader = (host: string) => {
    const pairs = [...cookiesOf(host)].map(([name, value]) => `${name}=${value}`);
    return pairs.length > 0 ? { cookie: pairs.join('; ') } : {};
  };

  const ask = async (method: InjectOptions['method'] & string, path: string, body?: object, headers: object = {}) => {
    const { protocol } = new URL(origin);
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(protocol === 'https:' && { 'x-forwarded-proto': 'https' }),
        ...cookieHeader('service'),
        ...headers,
      },
      ...(body && { payload: body }),
    });
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    keep('service', cookies);
    return {
      status: answer.statusCode,
      headers: answer.headers,
      location: answer.headers.location ?? null,
      cookies,
      text: answer.body,
      json: () => answer.json(),
    };
  };

  const toProvider = async (person: PrivatePerson, { query = '', tamper = () => {} }: TripOptions = {}) => {
    const begun = await ask('GET', `/auth/sign-in${query}`);
    if (begun.location === null) throw new Error(`expected a way to the provider, got ${begun.status} ${begun.text}`);
    const first = new URL(begun.location);
    tamper(first);
    let address = first;
    while (address.origin !== origin) {
      const page = address.pathname.startsWith('/interaction/');
      const form = new URLSearchParams({ email: person.email, password: person.password });
      const answer: Response = await fetch(address, {
        redirect: 'manual',
        headers: cookieHeader(address.host),
        ...(page && { method: 'POST', body: form }),
      });
      keep(address.host, answer.headers.getSetCookie());
      const next = answer.headers.get('location');
      if (next === null) throw new Error(`expected to be sent on, got ${answer.status} ${await answer.text()}`);
      address = new URL(next, address);
    }
    return address.href;
  };

  return {
    jar,
    get: async (path) => await ask('GET', path),
    send: async (method, path, body, headers) => {
      const { csrf_token: token } = (await ask('GET', '/auth/session')).json();
      const own = { origin, ...(typeof token === 'string' && { 'x-csrf-token': token }) };
      return await ask(method, path, body, headers ?? own);
    },
    toProvider,
    signIn: async (person, options) => {
      const { pathname, search } = new URL(await toProvider(person, options));
      return await ask('GET', pathname + search);
    },
  };
}
