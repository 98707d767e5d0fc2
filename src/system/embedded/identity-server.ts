import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Configuration, Provider } from 'oidc-provider';
import type { IdentitySettings, PrivatePerson } from './identity.ts';
import { loginPage } from './login-page.ts';

/** The process of the private identity provider: `node identity-server.ts <settings file>`. Ends on SIGTERM. */
const settings: IdentitySettings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const { port, callback, clientId, clientSecret, cookieKey, jwk, people } = settings;
const issuer = `http://127.0.0.1:${port}`;
const mostBytes = 10_000;

const configuration: Configuration = {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [callback],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  jwks: { keys: [jwk] },
  cookies: { keys: [cookieKey] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, id) => {
    const person = people.find(({ subject }) => subject === id);
    return person && { accountId: id, claims: async () => claimsOf(person) };
  },
  // there is one client, and a person who signs in does it for that one
  loadExistingGrant: async ({ oidc }) => {
    const { client, session } = oidc;
    if (!client || !session?.accountId) return undefined;
    // a new one would make codes worthless that other tabs are bringing back
    const known = session.grantIdFor(client.clientId);
    if (known) return await oidc.provider.Grant.find(known);
    const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope('openid email');
    await grant.save();
    return grant;
  },
  ttl: { AuthorizationCode: 60, Interaction: 600, Grant: 3_600, Session: 28_800, IdToken: 600, AccessToken: 600 },
};

function claimsOf({ subject, email, verified }: PrivatePerson) {
  return { sub: subject, email, email_verified: verified };
}

const provider = new Provider(issuer, configuration);
const answerProtocol = provider.callback();

/** The one page of our own: who are you? */
async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response);
  if (request.method === 'GET') return show(response, 200, loginPage(uid, ''));
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (length > mostBytes) return show(response, 413, loginPage(uid, 'That was too long.'));
  const form = new URLSearchParams(await text(request));
  const wanted = form.get('email')?.trim().toLowerCase();
  const person = people
    .filter(({ email }) => email.toLowerCase() === wanted)
    .find(({ password }) => same(form.get('password') ?? '', password));
  if (!person) return show(response, 401, loginPage(uid, 'That e-mail address and password do not fit.'));
  await provider.interactionFinished(request, response, { login: { accountId: person.subject } });
}

function show(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(page);
}

function same(entered: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(entered), digest(expected));
}

const server = createServer((request, response) => {
  const isOurs = request.url?.startsWith('/interaction/') === true;
  const answering = isOurs ? interact(request, response) : answerProtocol(request, response);
  answering.catch(() => {
    if (response.headersSent) response.destroy();
    else show(response, 400, loginPage(null, 'This sign-in is over: begin again where you came from.'));
  });
});

process.once('SIGTERM', () => process.exit(0));
// in one line: who starts it takes another port where this one was taken meanwhile, and reads the end of this line
server.once('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
server.listen(port, '127.0.0.1');
