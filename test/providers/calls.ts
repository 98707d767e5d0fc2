import { randomUUID } from 'node:crypto';
import { EffectRefused } from '#src/jobs/effects/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import type { InputAsset, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import type { Context } from '#src/system/context.ts';
import { sharedThreads } from '#src/system/threads.ts';

/** The variable that a test's provider has its key under. */
export const KEY_NAME = 'PROVIDER_TEST_KEY';
export const KEY = 'vendor-key-0123456789';
process.env[KEY_NAME] = KEY;

/** One call of a provider, of a job of its own unless its key says which. */
export function callOf(
  context: Context,
  overrides: Pick<ProviderCall, 'provider' | 'capability'> & Partial<ProviderCall>,
): ProviderCall {
  return {
    context,
    threads: sharedThreads(context),
    request: { prompt: 'a lighthouse at dusk' },
    inputs: new Map(),
    key: `${randomUUID()}.${overrides.provider.id}`,
    signal: new AbortController().signal,
    progress: () => {},
    ...overrides,
  };
}

/** An input asset of a call. */
export function assetOf(id: string, mediaType: string, bytes: Buffer): InputAsset {
  return {
    id,
    mediaType,
    bytes: async () => bytes,
    url: async () => `https://studio.example/v1/artefacts/${id}?signature=s`,
  };
}

/** Reads the failure of a call: its code, and whether it is certain that nothing is owed. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ code: string; owed: 'nothing' | 'perhaps'; message: string }> {
  const error = await work.then(
    () => new Error('expected a failure'),
    (failure: unknown) => failure,
  );
  if (!(error instanceof AppError)) throw error;
  return { code: error.code, owed: error instanceof EffectRefused ? 'nothing' : 'perhaps', message: error.message };
}
