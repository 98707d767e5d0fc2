import type { GenerationRequest, MediaCapability } from '#queues/providers.ts';
import { localAdapter } from '#src/providers/adapters/local.ts';
import type { Generated, InputAsset, Produced, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { localProvider } from '#src/providers/catalogue/local-provider.ts';
import { openContext } from '#src/system/context.ts';
import { openThreads } from '#src/system/threads.ts';
import { testConfig } from '#test/helpers/config.ts';

type Settings = Partial<Pick<ProviderCall, 'signal' | 'progress' | 'provider'>> & {
  readonly inputs?: Readonly<Record<string, Uint8Array>>;
};

export interface LocalCalls extends AsyncDisposable {
  /** Has the local provider carry out a request, as a worker calls it. */
  readonly generate: (
    capability: MediaCapability,
    request: GenerationRequest,
    settings?: Settings,
  ) => Promise<Generated>;
}

export async function openLocalCalls(): Promise<LocalCalls> {
  await using stack = new AsyncDisposableStack();
  const { config } = stack.use(await testConfig());
  const context = stack.use(await openContext(config, 'worker'));
  const threads = openThreads(context);
  if (localAdapter.kind !== 'exchange') throw new Error('the local provider answers at once');
  const { generate } = localAdapter;
  const kept = stack.move();
  return {
    generate: async (capability, request, { inputs = {}, ...settings } = {}) =>
      await generate({
        context,
        threads,
        provider: localProvider,
        capability,
        request,
        inputs: new Map(Object.entries(inputs).map(([id, bytes]) => [id, assetOf(id, bytes)])),
        key: 'a key',
        signal: new AbortController().signal,
        progress: () => {},
        ...settings,
      }),
    [Symbol.asyncDispose]: async () => await kept.disposeAsync(),
  };
}

function assetOf(id: string, bytes: Uint8Array): InputAsset {
  return {
    id,
    mediaType: 'application/octet-stream',
    bytes: async () => bytes,
    url: async () => {
      throw new Error('the local provider needs no address');
    },
  };
}

/** The produced thing of a name. */
export function named({ produced }: Generated, name: string): Produced {
  const found = produced.find((one) => one.name === name);
  if (found === undefined) throw new Error(`expected ${name}, got ${produced.map((one) => one.name).join(', ')}`);
  return found;
}

export function textOf(made: Generated, name: string): string {
  return new TextDecoder().decode(named(made, name).bytes);
}
