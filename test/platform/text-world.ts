import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { sql } from 'slonik';
import Type from 'typebox';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type OpenaiRoute, type OpenaiScript, startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import type { VendorServer } from '#test/helpers/vendors/vendor-server.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { forgetCircuits } from '#test/providers/forget-circuits.ts';

export interface TextWorld extends TextScene, AsyncDisposable {
  /** The same API and providers for another test: other scripts, circuits closed, an owner and a key of its own. */
  readonly anew: (scripts: readonly OpenaiScript[]) => Promise<TextScene>;
}

/** What one test sees of a world: what it has asked for itself. */
export interface TextScene {
  readonly api: TestApi;
  /** Where the API listens. */
  readonly url: string;
  readonly secret: string;
  readonly keyId: string;
  readonly vendors: readonly VendorServer<OpenaiRoute>[];
  /** The official client, at this API. */
  readonly client: OpenAI;
  /** The job's calls as `provider state`, and what the key's budgets hold. */
  readonly calls: (job: string) => Promise<readonly string[]>;
  readonly money: () => Promise<{ readonly reserved: number; readonly spent: number }>;
  readonly jobs: () => Promise<readonly { readonly id: string; readonly state: string }[]>;
}

/** What each provider adds to its entry in the catalogue. */
type Entry = Readonly<Record<string, unknown>>;

export interface TextVendors extends AsyncDisposable {
  readonly vendors: readonly VendorServer<OpenaiRoute>[];
  /** A home, and the catalogue in it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Providers of text and their catalogue. */
export async function textVendors(
  scripts: readonly OpenaiScript[],
  entries: readonly Entry[] = [],
): Promise<TextVendors> {
  await using stack = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'proofline-text-'));
  stack.defer(async () => await rm(home, { recursive: true, force: true }));
  const vendors = await Promise.all(scripts.map(async (script) => stack.use(await startOpenaiLike(script))));
  const file = join(home, 'providers.json');
  const providers = vendors.map(({ url }, n) => providerAt(url, n, entries[n] ?? {}));
  writeFileSync(file, JSON.stringify({ providers }));
  const all = stack.move();
  return {
    vendors,
    env: { PROOFLINE_HOME: home, PROVIDERS_FILE: file },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** An API with providers of text, `one`, `two` …, at one and two dollars a million tokens, the first the best. */
export async function textWorld(
  scripts: readonly OpenaiScript[] = [{}],
  {
    entries = [],
    settings = {},
  }: { readonly entries?: readonly Entry[]; readonly settings?: Record<string, string> } = {},
): Promise<TextWorld> {
  await using stack = new AsyncDisposableStack();
  const { vendors, env } = stack.use(await textVendors(scripts, entries));
  const api = stack.use(await testApi({ ...env, ...settings }));
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const all = stack.move();
  let scenes = 0;
  const anew = async (next: readonly OpenaiScript[]) => {
    for (const [n, vendor] of vendors.entries()) vendor.follow(next[n] ?? {});
    await forgetCircuits(api.context);
    return await openScene(api, url, vendors, `owner-${++scenes}`);
  };
  return {
    ...(await anew(scripts)),
    anew,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function openScene(
  api: TestApi,
  url: string,
  vendors: TextVendors['vendors'],
  owner: string,
): Promise<TextScene> {
  const { id: keyId, secret } = await api.key({ owner });
  const month = new Date().toISOString().slice(0, 7);
  return {
    api,
    url,
    secret,
    keyId,
    vendors: vendors.map((vendor) => {
      const before = new Set(vendor.received());
      return { ...vendor, received: (route) => vendor.received(route).filter((one) => !before.has(one)) };
    }),
    client: new OpenAI({ baseURL: `${url}/api/v2`, apiKey: secret, maxRetries: 0 }),
    calls: async (job) =>
      (await readCalls(api.context, job)).map(
        ({ provider, state, cost }) => `${provider} ${state}${cost === null ? '' : ` ${cost}`}`,
      ),
    money: async () => {
      const { reserved, spent } = (await readBudget(api.context, `key:${keyId}:${month}`)) ?? { reserved: 0, spent: 0 };
      return { reserved, spent };
    },
    jobs: async () =>
      await api.context.db.any(
        sql.type(row(Type.Object({ id: Type.String(), state: Type.String() })))`
        select id, state from jobs where queue = 'platform.respond' and owner = ${owner} order by created_at`,
      ),
  };
}

const names = ['one', 'two', 'three'];

function providerAt(url: string, n: number, more: Entry): object {
  const price = { perMillionInput: 1, perMillionOutput: 2 };
  const offer = { model: `model-${n + 1}`, price, latency: { base: 1 }, quality: 0.9 - n / 10 };
  return {
    id: names[n],
    title: names[n],
    style: 'openai-compatible',
    url,
    capabilities: { 'text.generate': offer },
    ...more,
  };
}
