import { isUtf8 } from 'node:buffer';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import { endedCall } from '#src/providers/calls/call-ends.ts';
import type { Generated, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { callTimeoutMs } from '#src/providers/catalogue/catalogue.ts';
import { outputLimits, producedOf } from '#src/providers/http/fetch-output.ts';
import { askVendor, assertTaken, readJson } from '#src/providers/http/vendor-http.ts';
import { type Amounts, billedFor, offerOf, usualAmounts } from '#src/providers/routing/quote.ts';
import { secondsUsed, tokensUsed } from '#src/providers/text/usage.ts';
import type { OutsideAnswer } from '#src/system/outside/outside.ts';
import { attach } from './openai-images.ts';

/** The service's words for types of sound. */
const formats: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'opus',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
};

/** The service's words for what was said with its times, which it answers as text. */
const captions: Readonly<Record<string, string>> = { 'application/x-subrip': 'srt', 'text/vtt': 'vtt' };

const Transcript = Compile(
  Type.Object({
    text: Type.String(),
    /** These two are read by themselves: a transcript is none the worse for counts that are none. */
    duration: Type.Optional(Type.Unknown()),
    usage: Type.Optional(Type.Unknown()),
  }),
);

/** Has a text spoken. */
export async function speak(call: ProviderCall): Promise<Generated> {
  const { provider, capability, request } = call;
  const { model, parameters, price } = offerOf(provider, capability);
  call.progress('generating');
  const answer = await askVendor(call, {
    method: 'POST',
    path: '/audio/speech',
    headers: { accept: 'audio/*, application/json', 'idempotency-key': call.key },
    body: {
      voice: request.voice ?? 'alloy',
      response_format: formats[request.mediaType ?? 'audio/wav'] ?? 'wav',
      ...request.options,
      ...parameters,
      model,
      input: request.prompt,
    },
    mostBytes: outputLimits.bytes,
    timeoutMs: callTimeoutMs(provider),
  });
  assertTaken(call, answer);
  const produced = producedOf(call, [answer.body]);
  const [sound] = produced;
  if (sound?.kind !== 'audio')
    throw failed(call, `expected sound from ${provider.id}, got ${sound?.kind ?? 'nothing'}.`);
  const seconds = sound.duration === undefined ? {} : { seconds: sound.duration };
  const characters = Array.from(request.prompt).length;
  return { produced, billed: billedFor(price, { calls: 1, characters, ...seconds }), externalId: null };
}

/** Writes down what is said in a recording: as text, or as captions where a type of these is wanted. */
export async function transcribe(call: ProviderCall): Promise<Generated> {
  const { provider, capability, request } = call;
  const offered = offerOf(provider, capability);
  const { model, parameters, price } = offered;
  const recording = request.inputs?.audio ?? request.inputs?.narration ?? request.inputs?.video;
  if (recording === undefined) throw new AppError('invalid_request', 'expected a recording in inputs.audio, got none.');
  const form = new FormData();
  const language = request.language === undefined ? {} : { language: request.language.split('-')[0] };
  const format = captions[request.mediaType ?? ''] ?? 'json';
  const fields = { ...language, ...request.options, ...parameters, model, response_format: format };
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  await attach(call, form, 'file', recording);
  call.progress('transcribing');
  const answer = await askVendor(call, {
    method: 'POST',
    path: '/audio/transcriptions',
    headers: { 'idempotency-key': call.key },
    body: form,
    timeoutMs: callTimeoutMs(provider),
  });
  assertTaken(call, answer);
  if (format !== 'json') return { produced: [], text: captionsOf(call, answer), billed: null, externalId: null };
  const { text, usage, duration } = readJson(call, answer, Transcript);
  const used = usedOf(usage, duration, usualAmounts(offered, capability, request));
  return { produced: [], text, billed: billedFor(price, { calls: 1, ...used }), externalId: null };
}

/** Reads captions from the answer. They report no cost, so the quote counts. */
function captionsOf(call: ProviderCall, { contentType, body }: OutsideAnswer): string {
  if (!/\b(json|html)\b/i.test(contentType ?? '') && isUtf8(body)) return body.toString().replaceAll('\0', '');
  throw failed(call, `expected captions as text from ${call.provider.id}, got ${contentType ?? 'no content type'}.`);
}

function usedOf(usage: unknown, duration: unknown, usual: Amounts): Partial<Amounts> {
  const { type, seconds: counted } = { type: null, seconds: null, ...(usage as object | null | undefined) };
  const seconds = (type === 'duration' ? secondsUsed(counted) : undefined) ?? secondsUsed(duration);
  const tokens = type === 'tokens' ? tokensUsed(usage, usual) : {};
  return { ...(seconds !== undefined && { seconds }), ...tokens };
}

function failed({ provider }: ProviderCall, message: string): AppError {
  return endedCall('unreadable', message, { provider: provider.id });
}
