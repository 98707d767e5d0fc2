import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from '#queues/providers.ts';
import { EffectRefused } from '#src/jobs/effects/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import { keepAsset } from '#src/providers/assets/assets.ts';
import type { Adapter, Generated, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { generateWith } from '#workers/providers/generate.ts';
import { type Parts, parts } from '#workers/providers/parts.ts';
import { handler } from '#workers/run/processor.ts';

async function call({ provider, key, signal, onSend }: ProviderCall, method: string, path: string): Promise<any> {
  onSend?.();
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

const made = ({ id, billed, text }: any): Generated => ({
  externalId: id,
  billed,
  text: 'what it said',
  produced: [
    { name: 'text', kind: 'text', mediaType: 'text/plain', bytes: Buffer.from(text), thumbnail: 'small' },
    { name: 'small', kind: 'text', mediaType: 'text/plain', bytes: Buffer.from(`small ${text}`) },
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

/** What providers are called with here: adapters of a small provider over HTTP, and a storage that is full where a test asks for that. */
export function trialParts(catalogue: readonly Provider[]): Parts {
  return {
    ...parts,
    catalogueOf: () => catalogue,
    adapterOf: (style) => {
      const adapter = adapters[style];
      if (adapter) return adapter;
      throw new AppError('media_unavailable', `Nothing here speaks ${style}.`);
    },
    keepAsset: async (context, asset) => {
      if (asset.name.startsWith('full')) throw new AppError('storage_full', 'The storage is full.');
      return await keepAsset(context, asset);
    },
  };
}

/** Works for a fleet that waits no longer than it must between two attempts. */
export const handlersWith = (catalogue: readonly Provider[]) => [
  handler({ ...generate, backoffMs: 10, backoffCapMs: 50 }, generateWith(trialParts(catalogue))),
];

/** For processes of their own, suspects among them. */
export const handlers = handlersWith(JSON.parse(process.env['TRIAL_PROVIDERS'] ?? '[]'));
