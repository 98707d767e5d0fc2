import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Aspect } from '#queues/providers.ts';
import { AppError } from '#src/lib/errors.ts';
import { endedCall } from '#src/providers/calls/call-ends.ts';
import type { Generated, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { callTimeoutMs } from '#src/providers/catalogue/catalogue.ts';
import { fetchOutputs } from '#src/providers/http/fetch-output.ts';
import { askVendor, assertTaken, readJson } from '#src/providers/http/vendor-http.ts';
import { billedFor, offerOf, usualAmounts } from '#src/providers/routing/quote.ts';
import { inputOf } from '#src/providers/tasks/task-input.ts';
import { tokensUsed } from '#src/providers/text/usage.ts';

/** Sixteen large pictures in base64. */
const MOST_BYTES = 201_326_592;

/** The nearest of the sizes that the service makes. */
const sizes: Readonly<Record<Aspect, string>> = {
  '16:9': '1536x1024',
  '9:16': '1024x1536',
  '4:5': '1024x1536',
  '1:1': '1024x1024',
};

const Answer = Type.Object({
  data: Type.Array(
    Type.Object({
      b64_json: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
    { minItems: 1 },
  ),
  /** Read by itself: pictures are none the worse for counts that are none. */
  usage: Type.Optional(Type.Unknown()),
});
const Images = Compile(Answer);

/** Makes pictures, or changes the input pictures. */
export async function makeImages(call: ProviderCall): Promise<Generated> {
  const { provider, capability } = call;
  const isEdit = capability === 'image.edit';
  call.progress('generating');
  const answer = await askVendor(call, {
    method: 'POST',
    path: isEdit ? '/images/edits' : '/images/generations',
    headers: { 'idempotency-key': call.key },
    body: isEdit ? await editForm(call) : fieldsOf(call),
    mostBytes: MOST_BYTES,
    timeoutMs: callTimeoutMs(provider),
  });
  assertTaken(call, answer);
  const { data, usage } = readJson(call, answer, Images);
  const produced = await fetchOutputs(
    call,
    data.map((one) => addressOf(call, one)),
  );
  const offered = offerOf(provider, capability);
  const used = tokensUsed(usage, usualAmounts(offered, capability, call.request), 1);
  return {
    produced,
    billed: billedFor(offered.price, { calls: 1, images: produced.length, ...used }),
    externalId: null,
  };
}

/** The caller's options, the offer's parameters over them, and what was quoted over both. */
function fieldsOf({ provider, capability, request }: ProviderCall): Readonly<Record<string, unknown>> {
  const { model, parameters } = offerOf(provider, capability);
  const size = request.aspect === undefined ? {} : { size: sizes[request.aspect] };
  const format = request.mediaType === undefined ? {} : { output_format: request.mediaType.replace('image/', '') };
  return {
    ...size,
    ...format,
    ...request.options,
    ...parameters,
    model,
    prompt: request.prompt,
    n: request.count ?? 1,
  };
}

async function editForm(call: ProviderCall): Promise<FormData> {
  const { images = [], mask } = call.request.inputs ?? {};
  if (images.length === 0) {
    throw new AppError('invalid_request', 'expected a picture to change in inputs.images, got none.');
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(fieldsOf(call)))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  for (const id of images) await attach(call, form, 'image[]', id);
  if (mask !== undefined) await attach(call, form, 'mask', mask);
  return form;
}

/** Adds an asset to a form, under a name with the ending of its type: services recognise types by it. */
export async function attach(call: ProviderCall, form: FormData, field: string, id: string): Promise<void> {
  const asset = inputOf(call, id);
  const ending = (asset.mediaType.split('/')[1] ?? 'bin').replace(/^x-|[^\w].*$/g, '');
  form.append(
    field,
    new Blob([new Uint8Array(await asset.bytes())], { type: asset.mediaType }),
    `${field.replace('[]', '')}.${ending}`,
  );
}

function addressOf(
  { provider }: ProviderCall,
  { b64_json: base64, url }: Static<typeof Answer>['data'][number],
): string {
  if (base64) return `data:;base64,${base64}`;
  if (url) return url;
  throw endedCall('unreadable', `expected a picture or its address from ${provider.id}, got neither.`, {
    provider: provider.id,
  });
}
