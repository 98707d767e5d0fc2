import { hash, randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { generate } from '#queues/providers.ts';
import { EffectRefused } from '#src/jobs/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Adapter, Generated, Produced, ProviderCall } from '#src/providers/adapter.ts';
import type { Provider } from '#src/providers/catalogue.ts';
import type { Context } from '#src/system/context.ts';
import { work } from '#workers/processor.ts';
import { generateWith } from '#workers/providers/generate.ts';
import type { AssetOrigin, Parts } from '#workers/providers/parts.ts';

async function call({ provider, key, signal }: ProviderCall, method: string, path: string): Promise<any> {
  const address = `${provider.url}/${provider.id}/${path}`;
  const response = await fetch(address, { method, headers: { 'idempotency-key': key }, signal }).catch(
    (error: unknown) => {
      throw new AppError('unavailable', `${provider.id} does not answer.`, {}, error);
    },
  );
  const body: any = await response.json();
  if (response.status === 422) throw new EffectRefused('provider_refused', `${provider.id} refused: ${body.message}.`);
  if (response.status === 503) throw new EffectRefused('unavailable', `${provider.id} is busy: ${body.message}.`);
  if (response.status !== 200) throw new AppError('provider_failed', `${provider.id} failed: ${body.message}.`);
  return body;
}

const made = ({ id, billed, picture }: any): Generated => ({
  externalId: id,
  billed,
  text: 'what it said',
  produced: [
    { name: 'picture', kind: 'image', mediaType: 'image/png', bytes: Buffer.from(picture), thumbnail: 'small' },
    { name: 'small', kind: 'image', mediaType: 'image/png', bytes: Buffer.from(`small ${picture}`) },
  ],
});

const task: Adapter = {
  kind: 'task',
  submit: async (each) => (await call(each, 'POST', 'tasks')).id,
  fetch: async (each, id) => {
    for (;;) {
      const found = await call(each, 'GET', `tasks/${id}`);
      if (found.state === 'done') return made(found);
      await sleep(20, undefined, { signal: each.signal });
    }
  },
  cancel: async (each, id) => void (await call(each, 'DELETE', `tasks/${id}`)),
};

const adapters: Readonly<Record<string, Adapter>> = {
  'openai-compatible': {
    kind: 'exchange',
    repeat: ({ idempotent }) => (idempotent ? 'idempotent' : 'neither'),
    generate: async (each) => made(await call(each, 'POST', 'make')),
  },
  'replicate-style': task,
  'fal-style': {
    ...task,
    find: async (each) => (await call(each, 'GET', `keys/${each.key}`)).id,
    visibilityDelayMs: 50,
  },
};

async function insert(
  { db }: Context,
  { owner, job, capability, provider }: AssetOrigin,
  { kind, mediaType, bytes }: Produced,
  name: string,
  thumbnail: string | null,
) {
  if (name.startsWith('full')) throw new AppError('storage_full', 'The storage is full.');
  await db.query(sql.unsafe`
    insert into assets (id, owner, job, name, kind, sha256, size, media_type, thumbnail, capability, provider)
    values (${randomUUIDv7()}, ${owner}, ${job}, ${name}, ${kind}, ${sql.binary(hash('sha256', bytes, 'buffer'))},
      ${bytes.length}, ${mediaType}, ${thumbnail}, ${capability}, ${provider})
    on conflict (job, name) do nothing`);
  const id = String(await db.oneFirst(sql.unsafe`select id from assets where job = ${job} and name = ${name}`));
  return { id, name, kind, mediaType };
}

/** What providers are called with here: real adapters of a small provider over HTTP, and assets without their bytes. */
export function trialParts(catalogue: readonly Provider[]): Parts {
  return {
    catalogueOf: () => catalogue,
    adapterOf: (style) => {
      const adapter = adapters[style];
      if (adapter) return adapter;
      throw new AppError('media_unavailable', `Nothing here speaks ${style}.`);
    },
    admit: async (_context, { id }, capability) =>
      id.includes('open')
        ? { admitted: false, retryAt: new Date('2030-01-01T00:00:00Z') }
        : { admitted: true, provider: id, capability, token: 'a token', since: performance.now() },
    report: async ({ redis, config }, { provider }, outcome) =>
      void (await redis.rpush(`${config.REDIS_PREFIX}:reports`, `${provider} ${outcome}`)),
    takePlace: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    countCost: () => {},
    inputsOf: async () => new Map(),
    keepAssets: async (context, origin, produced, nameOf) => {
      const kept = new Map<string, Awaited<ReturnType<typeof insert>>>();
      for (const one of produced.toReversed()) {
        const thumbnail = one.thumbnail === undefined ? null : (kept.get(one.thumbnail)?.id ?? null);
        kept.set(one.name, await insert(context, origin, one, nameOf(one.name), thumbnail));
      }
      return [...kept.values()].toReversed();
    },
  };
}

/** Works for a fleet that waits no longer than it must between two attempts. */
export const worksWith = (catalogue: readonly Provider[]) => [
  work({ ...generate, backoffMs: 10, backoffCapMs: 50 }, generateWith(trialParts(catalogue))),
];

/** For processes of their own, suspects among them. */
export const works = worksWith(JSON.parse(process.env['TRIAL_PROVIDERS'] ?? '[]'));
