import { AppError } from '#src/lib/errors.ts';
import type { InputAsset, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import type { RequestWord } from '#src/providers/catalogue/catalogue.ts';
import { offerOf } from '#src/providers/routing/quote.ts';

/** Usual names of our words at a style's models; null for a word that they usually do not take. */
export type FieldNames = Readonly<Record<RequestWord, string | null>>;

/** Largest asset that is sent inside the request, where there is no address to fetch it from. */
const INLINE_BYTES = 8 * 1_048_576;

/**
 * Builds the input of a model: the caller's options, the offer's parameters over them, and the words of the request
 * over both, each under the model's own name for it. So no caller can get more than was quoted.
 */
export async function taskInput(call: ProviderCall, usual: FieldNames): Promise<Readonly<Record<string, unknown>>> {
  const { request, provider, capability } = call;
  const { parameters = {}, fields = {} } = offerOf(provider, capability);
  const { inputs = {} } = request;
  const words: Partial<Record<RequestWord, unknown>> = {
    prompt: request.prompt,
    aspect: request.aspect,
    seconds: request.seconds,
    resolution: request.resolution,
    voice: request.voice,
    language: request.language,
    count: request.count,
    ...(await addresses(call, { ...inputs, images: undefined, words: undefined, image: inputs.images?.[0] })),
    images: await listOf(call, inputs.images ?? []),
  };
  const named = Object.entries(words).flatMap(([word, value]) => {
    const name = fields[word as RequestWord] === undefined ? usual[word as RequestWord] : fields[word as RequestWord];
    return value === undefined || name === null || name === undefined ? [] : [[name, value] as const];
  });
  return { ...request.options, ...parameters, ...Object.fromEntries(named) };
}

type InputIds = Readonly<Record<string, string | undefined>>;

async function addresses(call: ProviderCall, ids: InputIds): Promise<Record<string, string>> {
  const named = Object.entries(ids).flatMap(([word, id]) => (id === undefined ? [] : [[word, id] as const]));
  return Object.fromEntries(
    await Promise.all(named.map(async ([word, id]) => [word, await addressOf(call, id)] as const)),
  );
}

/** Only where there are several: one goes under the word for one. */
async function listOf(call: ProviderCall, ids: readonly string[]): Promise<readonly string[] | undefined> {
  return ids.length > 1 ? await Promise.all(ids.map(async (id) => await addressOf(call, id))) : undefined;
}

/** An asset for the provider to fetch; where the open internet does not reach us, the asset itself. */
async function addressOf(call: ProviderCall, id: string): Promise<string> {
  const asset = inputOf(call, id);
  if (call.context.config.PUBLIC_URL !== undefined) return await asset.url();
  const bytes = await asset.bytes();
  if (bytes.byteLength <= INLINE_BYTES)
    return `data:${asset.mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
  throw new AppError(
    'provider_failed',
    `expected an input of at most ${INLINE_BYTES} bytes where PUBLIC_URL is not set, got ${bytes.byteLength}.`,
    { asset: id },
  );
}

/**
 * Finds an input asset of the call by its id.
 *
 * @throws AppError `invalid_request` for an asset that the call does not have
 */
export function inputOf({ inputs }: Pick<ProviderCall, 'inputs'>, id: string): InputAsset {
  const asset = inputs.get(id);
  if (asset) return asset;
  throw new AppError('invalid_request', `expected the id of an input asset of this call, got ${JSON.stringify(id)}.`);
}
