import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOperatorChanges } from '#src/access/sessions/operator-changes.ts';
import { createOperatorLink, linkMs, removeOperator } from '#src/access/sessions/operator-link.ts';
import { openBrowser } from '#test/helpers/browser.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { identityWorld, origin, people } from './world.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ PUBLIC_URL: origin });
});
afterAll(async () => await api[Symbol.asyncDispose]());

const email = 'grace@example.com';
const by = { changedBy: 'cli root@box' };

/** The code of a new link, as the page reads it. */
async function newCode(to = email): Promise<string> {
  const { url } = await createOperatorLink(api.context, to, by);
  return new URL(url).hash.slice(1);
}

const own = { origin };
const bring = async (code: string, headers: object = own, browser = openBrowser(api.app, origin)) => ({
  browser,
  answer: await browser.send('POST', '/auth/link', { code }, headers),
});

test('a link signs one browser in as an operator, once; the code is in no address that is sent, and not in Redis', async () => {
  const { url, expires } = await createOperatorLink(api.context, email, by);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4999\/auth\/link#[\w-]{43}$/);
  expect(expires.getTime() - Date.now()).toBeLessThanOrEqual(linkMs);
  const code = new URL(url).hash.slice(1);
  const { redis, config } = api.context;
  const kept = await redis.keys(`${config.REDIS_PREFIX}:operator-link:*`);
  expect(kept.length).toBeGreaterThan(0);
  for (const key of kept) {
    expect([key, await redis.get(key)].join()).not.toContain(code);
    expect(await redis.pttl(key)).toBeLessThanOrEqual(linkMs);
  }

  const { browser, answer } = await bring(code);
  expect(answer.status).toBe(204);
  expect(answer.cookies).toEqual([expect.stringMatching(/^proofline_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)]);
  const session = await browser.get('/auth/session');
  expect(session.json()).toMatchObject({ email, owner: `user:${email}`, operator: true, human: false });
  // what an operator alone may do, as a page does it
  expect((await browser.get('/v1/fleets')).status).toBe(200);

  const again = await bring(code);
  expect([again.answer.status, again.answer.json()['detail']]).toEqual([403, expect.stringContaining('operator link')]);
  expect(again.answer.cookies).toEqual([]);
});

test('opening the page, as programs do that look at links, uses nothing up; it runs its own script alone', async () => {
  const code = await newCode();
  const browser = openBrowser(api.app, origin);
  for (let n = 0; n < 3; n++) {
    const page = await browser.get('/auth/link');
    expect([page.status, page.cookies]).toEqual([200, []]);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^ ]+'; .*frame-ancestors 'none'$/,
    );
  }
  expect((await api.app.inject({ method: 'HEAD', url: '/auth/link' })).statusCode).toBeLessThan(500);
  expect((await bring(code)).answer.status).toBe(204);
});

test('of many browsers that bring a code at once one is signed in', async () => {
  const code = await newCode();
  const all = await Promise.all(Array.from({ length: 12 }, () => bring(code)));
  expect(all.map(({ answer }) => answer.status).toSorted((a, b) => a - b)).toEqual([
    204,
    ...Array.from({ length: 11 }, () => 403),
  ]);
});

test('error: a page of another site, a code that does not exist, and one that is over do not sign in', async () => {
  const code = await newCode();
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
    expect((await bring(code, headers)).answer.status).toBe(403);
  }
  // a browser that says no origin is none
  const bare = await api.app.inject({ method: 'POST', url: '/auth/link', payload: { code } });
  expect([bare.statusCode, bare.headers['set-cookie']]).toEqual([403, undefined]);
  const form = await api.app.inject({
    method: 'POST',
    url: '/auth/link',
    headers: { ...own, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `code=${code}`,
  });
  expect(form.statusCode).toBe(415);
  for (const wrong of ['', 'x', 'x'.repeat(43), `${code}=`, '*'.repeat(43), 'x'.repeat(101)])
    expect([wrong, (await bring(wrong)).answer.status]).toEqual([
      wrong,
      wrong.length === 43 && !wrong.includes('*') ? 403 : 400,
    ]);
  // none of that has used it up
  const { redis, config } = api.context;
  for (const key of await redis.keys(`${config.REDIS_PREFIX}:operator-link:*`)) await redis.pexpire(key, 1);
  await expect.poll(async () => (await bring(code)).answer.status).toBe(403);
});

test('a session that was there before is another one afterwards, and needs its token to take a link', async () => {
  const { browser } = await bring(await newCode());
  const before = browser.jar.get('service')?.get('proofline_session');
  const code = await newCode('ada@example.com');
  const forged = await browser.send('POST', '/auth/link', { code }, { ...own, 'x-csrf-token': 'none' });
  expect(forged.status).toBe(403);
  const answer = await browser.send('POST', '/auth/link', { code });
  expect(answer.status).toBe(204);
  expect(browser.jar.get('service')?.get('proofline_session')).not.toBe(before);
  expect((await browser.get('/auth/session')).json()).toMatchObject({ email: 'ada@example.com', operator: true });
});

test('an operator who is removed is out at once, and a session of theirs that is brought again stays out', async () => {
  const { browser } = await bring(await newCode('gone@example.com'));
  expect((await browser.get('/auth/session')).status).toBe(200);
  const { redis, config } = api.context;
  const sessions = await redis.smembers(`${config.REDIS_PREFIX}:link-sessions:gone@example.com`);
  expect(sessions).toHaveLength(1);
  expect(await removeOperator(api.context, 'Gone@Example.com', by)).toBe(true);
  expect(await redis.exists(`${config.REDIS_PREFIX}:session:${sessions[0]}`)).toBe(0);
  expect((await browser.get('/auth/session')).status).toBe(401);
  expect(await removeOperator(api.context, 'gone@example.com', by)).toBe(false);
});

test('error: a link is for an e-mail address', async () => {
  await expect(createOperatorLink(api.context, 'nobody', by)).rejects.toThrow(/^--for: expected an e-mail address/);
  await expect(createOperatorLink(api.context, '\u212Aelvin@logic.example', by)).rejects.toThrow(/^--for/);
});

test('without an identity provider signing in says what to do: a person is shown the page, a program reads it', async () => {
  const ask = async (accept: string) =>
    await api.app.inject({ url: '/auth/sign-in?return_to=/jobs', headers: { accept } });
  const person = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
  expect([person.statusCode, person.headers.location]).toEqual([302, `${origin}/auth/link`]);
  const program = await ask('*/*');
  expect([program.statusCode, program.json().detail]).toEqual([
    404,
    expect.stringMatching(/OIDC_ISSUER.*proofline operator link/),
  ]);
});

test('beside an identity provider a link works too, and the allowlist is not asked', async () => {
  await using world = await identityWorld();
  await using service = await world.service();
  const { url } = await createOperatorLink(service.context, 'outside@elsewhere.example', by);
  const browser = service.browser();
  const answer = await browser.send('POST', '/auth/link', { code: new URL(url).hash.slice(1) }, own);
  expect(answer.status).toBe(204);
  expect((await browser.get('/auth/session')).json()).toMatchObject({ operator: true });
  const other = service.browser();
  await other.signIn(people.boole);
  expect((await other.get('/auth/session')).json()).toMatchObject({ operator: false });
  expect((await service.browser().get('/auth/sign-in')).status).toBe(302);
});

test('each link that is made or used, and each operator that is removed, leaves a row for the audit; a code that does not exist does not', async () => {
  const to = 'audited@example.com';
  const code = await newCode(to);
  expect((await bring('x'.repeat(43))).answer.status).toBe(403);
  expect((await bring(code)).answer.status).toBe(204);
  expect((await bring(code)).answer.status).toBe(403);
  expect(await removeOperator(api.context, to, by)).toBe(true);
  expect(await removeOperator(api.context, to, by)).toBe(false);
  const rows = (await listOperatorChanges(api.context.db, 1_000)).filter((change) => change.email === to);
  expect(rows.map(({ action, changedBy }) => `${action} by ${changedBy}`)).toEqual([
    'removed by cli root@box',
    'link_used by browser 127.0.0.1',
    'link_made by cli root@box',
  ]);
  expect(rows[1]?.requestId).toEqual(expect.any(String));
  // who reads them cannot sign in by them
  expect(JSON.stringify(rows)).not.toContain(code);
});
