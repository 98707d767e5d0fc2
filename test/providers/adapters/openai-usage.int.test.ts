import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adapterOf } from '#src/providers/adapters/adapter-of.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { type TestConfig, testConfig } from '#test/helpers/config.ts';
import { wavOf } from '#test/helpers/vendors/media.ts';
import { startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { assetOf, callOf, KEY_NAME } from '#test/providers/calls.ts';
import { offer, provider } from '#test/providers/offers.ts';

let tested: TestConfig;
let context: Context;
beforeAll(async () => {
  tested = await testConfig();
  context = await openContext(tested.config, 'worker');
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
});
afterAll(async () => {
  await context[Symbol.asyncDispose]();
  await tested[Symbol.asyncDispose]();
});

const SOUND = '0198c0de-0000-7000-8000-000000000002';
const inputs = new Map([[SOUND, assetOf(SOUND, 'audio/wav', wavOf())]]);

/** 4 tokens of the prompt; a picture of 6,240, and 1,024 of a text; at one and two dollars a million. */
test.for([
  ['image.generate', { input: -100, output: 2_000 }, 4 + 2 * 2_000],
  ['image.generate', { input: 100, output: -2_000 }, 100 + 2 * 6_240],
  ['image.generate', { input: -100, output: 0 }, null],
  ['text.generate', { input: -50, output: 20 }, 4 + 2 * 20],
  ['text.generate', { input: 0, output: 0 }, null],
  ['audio.transcribe', { input: 50, output: -1 }, 50 + 2 * 1_024],
] as const)(
  '%s with counts that cannot be true is done, and billed by what it usually takes: %j',
  async ([capability, usage, billed]) => {
    await using server = await startOpenaiLike({ usage });
    const adapter = adapterOf('openai-compatible');
    if (adapter.kind !== 'exchange') throw new Error('expected an exchange');
    const request = { prompt: 'a lighthouse', ...(capability === 'audio.transcribe' && { inputs: { audio: SOUND } }) };
    const made = await adapter.generate(
      callOf(context, {
        provider: provider({
          style: 'openai-compatible',
          url: server.url,
          credential: KEY_NAME,
          timeoutSeconds: 30,
          capabilities: { [capability]: offer({ price: { perMillionInput: 1, perMillionOutput: 2 } }) },
        }),
        capability,
        inputs,
        request,
      }),
    );
    expect(made.billed).toBe(billed);
  },
);
