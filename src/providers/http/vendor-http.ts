import type { Static, TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { maskKeys } from '#src/lib/crypto/mask-keys.ts';
import { AppError } from '#src/lib/errors.ts';
import { retryAfterMs } from '#src/lib/retry-after.ts';
import { parseJson } from '#src/lib/text/parse-json.ts';
import { endedCall, endOfStatus } from '#src/providers/calls/call-ends.ts';
import type { ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { callTimeoutMs, type Provider } from '#src/providers/catalogue/catalogue.ts';
import { secretOf } from '#src/providers/catalogue/credentials.ts';
import { callOutside, NotSent, type OutsideAnswer } from '#src/system/outside/outside.ts';

const MIB = 1_048_576;
/** Longest answer of an API, files aside, and longest wait for one. */
export const answerLimits = { bytes: 16 * MIB, ms: 60_000 } as const;

/** Longest wait that a provider may request, and that is passed on, milliseconds. */
const MOST_WAIT_MS = 3_600_000;

export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the provider's base address, or an address of its origin. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a form as multipart. */
  readonly body?: object | FormData;
  readonly mostBytes?: number;
  readonly timeoutMs?: number;
}

type Caller = Pick<ProviderCall, 'provider' | 'signal' | 'onSend'>;

/**
 * One request to a provider, and its answer whatever its status.
 *
 * @throws the signal's reason; AppError `provider_failed`: an EffectRefused where the request certainly never left
 */
export async function askVendor(call: Caller, request: VendorRequest): Promise<OutsideAnswer> {
  const { provider, signal } = call;
  const base = provider.url ?? '';
  const { body, type } = await encoded(request.body);
  const timeoutMs = Math.min(request.timeoutMs ?? answerLimits.ms, callTimeoutMs(provider));
  const authorization = authorizationOf(provider);
  call.onSend?.();
  try {
    return await callOutside({
      url: `${base.replace(/\/+$/, '')}${request.path}`,
      origins: [new URL(base).origin],
      method: request.method,
      headers: {
        accept: 'application/json',
        ...authorization,
        ...(type !== undefined && { 'content-type': type }),
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        ...request.headers,
      },
      ...(body !== undefined && { body }),
      mostBytes: request.mostBytes ?? answerLimits.bytes,
      timeoutMs,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw unanswered(provider, error, timeoutMs);
  }
}

/** Builds the header that authenticates us to a provider. */
export function authorizationOf(provider: Provider): Readonly<Record<string, string>> {
  const key = keyOf(provider);
  if (key === undefined) return {};
  return { authorization: `${provider.style === 'fal-style' ? 'Key' : 'Bearer'} ${key}` };
}

/**
 * @throws AppError `provider_failed`, an EffectRefused, where the environment does not hold it: the next provider may
 *   do it
 */
export function keyOf(provider: Provider): string | undefined {
  try {
    return secretOf(provider, 'credential');
  } catch (error) {
    const details = { provider: provider.id };
    throw endedCall('unreachable', `${provider.id} was not called, as it has no key here.`, details, error);
  }
}

/**
 * Converts a failure without a whole answer into its error: a request that never left has not happened, any other may
 * have.
 */
export function unanswered({ id }: Provider, error: unknown, timeoutMs: number): AppError {
  const details = { provider: id };
  if (error instanceof AppError && error.code === 'provider_failed') return error;
  if (error instanceof NotSent)
    return endedCall('unreachable', `${id} could not be reached; nothing was sent.`, details, error);
  if (error instanceof AppError && error.code === 'payload_too_large')
    return endedCall('unreadable', `${id}: ${error.message}`, details, error);
  if (isTimeout(error))
    return endedCall(
      'timed_out',
      `expected an answer of ${id} within ${timeoutMs / 1_000} s, got none.`,
      details,
      error,
    );
  return endedCall('broken_off', `expected a whole answer of ${id}, and the connection broke off.`, details, error);
}

/** Node's own client hands a signal's reason on as the cause. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TimeoutError' || isTimeout(error.cause);
}

/**
 * Lets an answer of success pass.
 *
 * @throws AppError `provider_refused` for a request that is not wanted, `provider_failed` for every other status; an
 *   EffectRefused where nothing was billed, as `callEnds` says
 */
export function assertTaken({ provider }: Pick<Caller, 'provider'>, answer: OutsideAnswer): void {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return;
  const details = { provider: provider.id, status };
  const end = endOfStatus(provider, status);
  if (end === 'refused')
    throw endedCall(end, `${provider.id} refuses this request (${status})${reasonOf(provider, answer)}.`, details);
  const waitMs = retryAfterMs(headers['retry-after'] ?? null, Date.now());
  const later = waitMs > 0 ? { retry_after_seconds: Math.ceil(Math.min(waitMs, MOST_WAIT_MS) / 1_000) } : {};
  throw endedCall(end, `expected an answer of success from ${provider.id}, got ${status}.`, { ...details, ...later });
}

/** An answer's JSON. @throws AppError `provider_failed` for what is not JSON, or not what its protocol says */
export function readJson<S extends TSchema>(
  { provider }: Pick<Caller, 'provider'>,
  answer: OutsideAnswer,
  schema: Validator<{}, S>,
): Static<S> {
  const details = { provider: provider.id, status: answer.status };
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(answer.contentType ?? '')) {
    const got = JSON.stringify((answer.contentType ?? 'none').slice(0, 100));
    throw endedCall('unreadable', `expected JSON from ${provider.id}, got content of type ${got}.`, details);
  }
  const value = parseJson(answer.body.toString('utf8'));
  if (schema.Check(value)) return value;
  const message = `expected an answer of its protocol from ${provider.id}, got other JSON or none.`;
  throw endedCall('unreadable', message, details);
}

/** Returns the reason that a provider gives, for the client: short, and without its key. */
function reasonOf(provider: Provider, { body }: OutsideAnswer): string {
  const value = parseJson(body.toString('utf8'));
  const text = firstText(value, ['error', 'detail', 'message', 'msg', 'title']);
  return text === undefined ? '' : `: ${spoken(provider, text)}`;
}

/** A provider's own words, as they may be passed on. */
export function spoken(provider: Provider, text: string): string {
  const key = keyOf(provider);
  const plain = key === undefined ? text : text.replaceAll(key, '[removed]');
  return maskKeys(plain).replaceAll('\u0000', '').trim().replace(/\.$/, '').slice(0, 300);
}

function firstText(value: unknown, names: readonly string[]): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return firstText(value[0], names);
  if (typeof value !== 'object' || value === null) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  return names.map((name) => firstText(members[name], names)).find((text) => text !== undefined);
}

async function encoded(body: VendorRequest['body']): Promise<{ body?: string | Uint8Array; type?: string }> {
  if (body === undefined) return {};
  if (!(body instanceof FormData)) return { body: JSON.stringify(body), type: 'application/json' };
  const form = new Response(body);
  return {
    body: new Uint8Array(await form.arrayBuffer()),
    type: form.headers.get('content-type') ?? 'multipart/form-data',
  };
}
