import type { KeyRequest } from '#src/access/keys/keys.ts';
import { type PrivateIdentity, type PrivatePerson, startIdentity } from '#src/system/embedded/identity.ts';
import { type Browser, openBrowser } from '#test/helpers/browser.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

const person = (subject: string, email: string, verified = true): PrivatePerson => ({
  subject,
  email,
  verified,
  password: `password of ${subject}`,
});

/** Who the private provider of the tests knows. */
export const people = {
  ada: person('ada', 'Ada@Example.com'),
  boole: person('boole', 'boole@logic.example'),
  stranger: person('stranger', 'eve@elsewhere.example'),
  /** On the list by her address, which nobody has verified. */
  unverified: person('unverified', 'mallory@logic.example', false),
  /** Has had Ada's address since she left. */
  successor: person('successor', 'ada@example.com'),
  /** The first letter is the Kelvin sign, which is a k in lower case. */
  kelvin: person('kelvin', '\u212Aelvin@logic.example'),
} as const;

export const origin = 'http://127.0.0.1:4999';

export interface IdentityWorld extends AsyncDisposable {
  readonly identity: PrivateIdentity;
  /** A service that people of this provider sign in to. */
  readonly service: (settings?: Readonly<Record<string, string>>) => Promise<Service>;
}

export interface Service extends TestApi {
  readonly browser: () => Browser;
  readonly keyFor: (request: Partial<KeyRequest>) => Promise<{ id: string; headers: { 'x-api-key': string } }>;
}

/** The real private provider, with people of its own. */
export async function identityWorld(address = origin): Promise<IdentityWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(testFolder());
  const identity = await startIdentity(folder.path, {
    callback: `${address}/auth/callback`,
    people: Object.values(people),
  });
  stack.defer(identity.stop);
  const all = stack.move();
  return {
    identity,
    service: async (settings = {}) => {
      const api = await testApi({
        PUBLIC_URL: address,
        OIDC_ISSUER: identity.url,
        OIDC_CLIENT_ID: identity.clientId,
        OIDC_CLIENT_SECRET: identity.clientSecret,
        OIDC_ALLOWLIST: 'ada@example.com, @logic.example',
        ...settings,
      });
      return { ...api, browser: () => openBrowser(api.app, address), keyFor: api.key };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
