import { once } from 'node:events';
import { afterAll, beforeAll } from 'vitest';
import type { MediaCapability } from '#queues/providers.ts';
import { adapterOf } from '#src/providers/adapters/adapter-of.ts';
import type { ProviderCall } from '#src/providers/catalogue/adapter.ts';
import type { Offered, Provider } from '#src/providers/catalogue/catalogue.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { type TestConfig, testConfig } from '#test/helpers/config.ts';
import { pngOf } from '#test/helpers/vendors/media.ts';
import { assetOf, KEY_NAME } from './calls.ts';
import { offer, provider } from './offers.ts';

process.env['PROVIDER_TEST_SECRET'] = 'whsec_c2VjcmV0LW9mLXRoZS13ZWJob29rcw==';
export const PUBLIC_URL = 'https://studio.example';
export const PICTURE = '0198c0de-0000-7000-8000-000000000001';
export const SECOND = '0198c0de-0000-7000-8000-000000000002';
export const inputs = new Map([PICTURE, SECOND].map((id) => [id, assetOf(id, 'image/png', pngOf())]));

/** For the tests of a file: a context that the open internet reaches, and one that it does not. */
export function twoContexts(): { readonly open: () => Context; readonly closed: () => Context } {
  let tested: TestConfig;
  let open: Context;
  let closed: Context;
  beforeAll(async () => {
    tested = await testConfig();
    closed = await openContext(tested.config, 'worker');
    open = await openContext({ ...tested.config, PUBLIC_URL }, 'worker');
    for (const { redis } of [open, closed]) if (redis.status !== 'ready') await once(redis, 'ready');
  });
  afterAll(async () => {
    await open[Symbol.asyncDispose]();
    await closed[Symbol.asyncDispose]();
    await tested[Symbol.asyncDispose]();
  });
  return { open: () => open, closed: () => closed };
}

export type Style = 'replicate-style' | 'fal-style';

/** The adapter of a style that submits. */
export function tasks(style: Style) {
  const adapter = adapterOf(style);
  if (adapter.kind !== 'task') throw new Error('expected tasks');
  return adapter;
}

/** A provider at this address that offers one thing. */
export function at(
  style: Style,
  url: string,
  capability: MediaCapability,
  offered: Partial<Offered> = {},
  more: Partial<Provider> = {},
): Provider {
  const model = style === 'fal-style' ? 'fal-ai/flux/dev' : 'maker/flux';
  return provider({
    style,
    url,
    credential: KEY_NAME,
    timeoutSeconds: 30,
    ...(style === 'replicate-style' && { webhookSecret: 'PROVIDER_TEST_SECRET' }),
    capabilities: { [capability]: offer({ model, ...offered }) },
    ...more,
  });
}

/** Submits and fetches. */
export async function generate(call: ProviderCall) {
  const adapter = tasks(call.provider.style as Style);
  return await adapter.fetch(call, await adapter.submit(call));
}
