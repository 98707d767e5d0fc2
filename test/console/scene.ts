import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { signInSettings } from '#src/commands/client/sign-in.ts';
import { identityFile } from '#src/commands/start/development-human.ts';
import { startSystem } from '#src/commands/start/system.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { developerEmail, type PrivatePerson, startIdentity } from '#src/system/embedded/identity.ts';
import { freePort } from '#src/system/embedded/ports.ts';
import { keepSecret } from '#src/system/embedded/secrets.ts';
import { enrolled, enrolling, secretOf } from '#test/access/humans/identities.ts';
import { chromiumProgram } from '#test/helpers/chromium.ts';
import { testConfig } from '#test/helpers/config.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { openVisit, type Visit, waitMs } from './visit.ts';

const program = chromiumProgram();

/** For tests in a browser: they are skipped, and say so, where there is none. */
export const options = { skip: program === undefined, timeout: 300_000 };

/** For starting it: processes, a browser, and perhaps a build, on a machine that does other things. */
export const patience = 240_000;
export const where = program === undefined ? ' (skipped: no Chromium here, and none can be unpacked)' : '';

const person = (subject: string, email: string): PrivatePerson => ({
  subject,
  email,
  verified: true,
  password: `password of ${subject}`,
});

/** The operator owns what the keys `admin` and `studio` make; the member sees what is theirs alone. */
export const people = {
  operator: person('developer', developerEmail),
  member: person('ada', 'ada@example.com'),
} as const;

export type Who = keyof typeof people;

export interface Look {
  /** Visitor who has signed in; none with null. The operator by default. */
  readonly as?: Who | null;
  readonly width?: 1280 | 390;
  readonly scheme?: 'light' | 'dark';
}

/** A whole system as `npm start` runs it, and a browser. One for all tests of a file. */
export interface Scene extends AsyncDisposable {
  readonly url: string;
  /** Its PROOFLINE_HOME: `identity.json` there is the development human. */
  readonly home: string;
  /** Secrets of the default keys, for what people do by program. */
  readonly keys: Readonly<Record<'admin' | 'studio' | 'analytics', string>>;
  /** The database and Redis of the system, for what tests prepare. */
  readonly context: Context;
  /** Opens a page in a browser window of its own, and notes everything that goes wrong in it. */
  readonly visit: (path: string, look?: Look) => Promise<Visit>;
}

/** Starts API, workers, identity provider and browser on a database and a Redis prefix of their own. */
export async function openScene(settings: Readonly<Record<string, string>> = {}): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(testFolder()).path;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const identity = await startIdentity(join(home, 'people'), {
    callback: `${url}/auth/callback`,
    people: Object.values(people),
  });
  stack.defer(identity.stop);
  const { env } = stack.use(
    await testConfig({
      PROOFLINE_HOME: join(home, 'system'),
      PORT: String(port),
      ...signInSettings(identity, people.operator.email),
      OIDC_ALLOWLIST: Object.values(people)
        .map(({ email }) => email)
        .join(', '),
      // many windows of one person, and no test of limits
      RATE_STANDARD_PER_MINUTE: '100000',
      LOG_LEVEL: 'warn',
      ...settings,
    }),
  );
  await settleDeveloper(env, join(home, 'system'));
  const system = stack.use(await startSystem({ ...process.env, ...env }, () => {}, AbortSignal.timeout(patience)));
  system.broken.catch(() => {}); // the tests that need what has ended say so
  const context = stack.use(await openContext(loadConfig({ ...env, LOG_LEVEL: 'silent' }), 'cli'));
  const browser = await chromium.launch({
    executablePath: program?.path ?? '',
    env: { ...process.env, ...program?.env },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  stack.defer(() => browser.close());
  const signedIn = signedInStates(browser, url);
  const all = stack.move();
  return {
    url,
    home: system.home,
    keys: system.ready.keys,
    context,
    visit: async (path, { as = 'operator', width = 1280, scheme = 'light' } = {}) => {
      const window = await browser.newContext({
        viewport: { width, height: width === 390 ? 844 : 800 },
        colorScheme: scheme,
        locale: 'en-US',
        timezoneId: 'UTC',
        ...(as && { storageState: await signedIn(as) }),
      });
      return await openVisit(window, `${url}${path}`);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Makes the development human of a home, who would else be proven by the start, for seconds. */
async function settleDeveloper(env: Readonly<Record<string, string>>, home: string): Promise<void> {
  await using context = await openContext(loadConfig(env), 'cli');
  keepSecret(home, 'development-human', await enrolled(context, enrolling(3)));
  const secret = secretOf(3).toString('hex');
  writeFileSync(identityFile(home), JSON.stringify({ kind: 'proofline-identity', secret }), { mode: 0o600 });
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Each visitor signs in once, by the pages; their other windows have the same cookie. */
function signedInStates(browser: Browser, url: string): (who: Who) => Promise<State> {
  const states = new Map<Who, Promise<State>>();
  const signIn = async (who: Who) => {
    const window = await browser.newContext();
    window.setDefaultTimeout(waitMs);
    const page = await window.newPage();
    await page.goto(`${url}/`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(people[who].email);
    await page.getByLabel('Password').fill(people[who].password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const state = await window.storageState();
    await window.close();
    return state;
  };
  return async (who) => await states.getOrInsertComputed(who, signIn);
}
