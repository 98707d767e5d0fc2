import type { Static, TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { EffectRefused } from '#src/jobs/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import { maskKeys } from '#src/lib/mask-keys.ts';
import { retryAfterMs } from '#src/lib/retry-after.ts';
import { callOutside, NotSent, type OutsideAnswer } from '#src/system/outside.ts';
import type { ProviderCall } from './adapter.ts';
import type { Provider } from './catalogue.ts';
import { secretOf } from './credentials.ts';
import { callTimeoutMs } from './timeouts.ts';

const MIB = 1_048_576;
/** Longest answer of an API, files aside, and longest wait for one. */
export const answerLimits = { bytes: 16 * MIB, ms: 60_000 } as const;

/** Longest wait that a provider may ask for and is told on. */
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

type Caller = Pick<ProviderCall, 'provider' | 'signal'>;

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
  try {
    return await callOutside({
      url: `${base.replace(/\/+$/, '')}${request.path}`,
      origins: [new URL(base).origin],
      method: request.method,
      headers: {
        accept: 'application/json',
        ...authorizationOf(provider),
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

/** How a provider is told who calls. */
export function authorizationOf(provider: Provider): Readonly<Record<string, string>> {
  const key = keyOf(provider);
  if (key === undefined) return {};
  return { authorization: `${provider.style === 'fal-style' ? 'Key' : 'Bearer'} ${key}` };
}

/** @throws EffectRefused `provider_failed` where the environment does not hold it: the next provider may do it */
export function keyOf(provider: Provider): string | undefined {
  try {
    return secretOf(provider, 'credential');
  } catch (error) {
    throw new EffectRefused('provider_failed', `${provider.id} was not asked, as it has no key here.`, {}, error);
  }
}

/** What a failure without an answer means: what never left has not happened, all else may have. */
export function unanswered({ id }: Provider, error: unknown, timeoutMs: number): AppError {
  const details = { provider: id };
  if (error instanceof AppError && error.code === 'provider_failed') return error;
  if (error instanceof NotSent)
    return new EffectRefused('provider_failed', `${id} could not be reached; nothing was sent.`, details, error);
  if (error instanceof AppError && error.code === 'payload_too_large') {
    return new AppError('provider_failed', `${id}: ${error.message}`, details, error);
  }
  if (isTimeout(error)) {
    return new AppError(
      'provider_failed',
      `expected an answer of ${id} within ${timeoutMs / 1_000} s, got none.`,
      details,
      error,
    );
  }
  return new AppError(
    'provider_failed',
    `expected a whole answer of ${id}, and the connection broke off.`,
    details,
    error,
  );
}

/** Node's own client hands a signal's reason on as the cause. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TimeoutError' || isTimeout(error.cause);
}

/** Statuses that say: what you ask for is not made here. The request was read, and nothing came of it. */
const refusals = new Set([400, 413, 415, 422, 451]);

/**
 * Lets an answer of success pass.
 *
 * @throws EffectRefused `provider_refused` for a request that is not wanted; EffectRefused `provider_failed` for 429,
 *   503, redirects, and whatever the operator has to mend (401, 402, 403, 404 …): nothing was done and nothing is owed;
 *   AppError `provider_failed` for 408 and other 5xx, after which it may have been
 */
export function assertTaken({ provider }: Pick<Caller, 'provider'>, answer: OutsideAnswer): void {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return;
  const details = { provider: provider.id, status };
  if (refusals.has(status)) {
    throw new EffectRefused(
      'provider_refused',
      `${provider.id} refuses this request (${status})${reasonOf(provider, answer)}.`,
      details,
    );
  }
  const waitMs = retryAfterMs(headers['retry-after'] ?? null, Date.now());
  const later = waitMs > 0 ? { retry_after_seconds: Math.ceil(Math.min(waitMs, MOST_WAIT_MS) / 1_000) } : {};
  const message = `expected an answer of success from ${provider.id}, got ${status}.`;
  const isOpen = status === 408 || (status >= 500 && status !== 503);
  if (isOpen) throw new AppError('provider_failed', message, details);
  throw new EffectRefused('provider_failed', message, { ...details, ...later });
}

/** An answer's JSON. @throws AppError `provider_failed` for what is not JSON, or not what its protocol says */
export function readJson<S extends TSchema>(
  { provider }: Caller,
  answer: OutsideAnswer,
  schema: Validator<{}, S>,
): Static<S> {
  const details = { provider: provider.id, status: answer.status };
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(answer.contentType ?? '')) {
    const got = JSON.stringify((answer.contentType ?? 'none').slice(0, 100));
    throw new AppError('provider_failed', `expected JSON from ${provider.id}, got content of type ${got}.`, details);
  }
  const value = parsed(answer.body);
  if (schema.Check(value)) return value;
  throw new AppError(
    'provider_failed',
    `expected an answer of its protocol from ${provider.id}, got other JSON or none.`,
    details,
  );
}

/** What a provider gives as its reason, for whoever asked: short, and without its key. */
function reasonOf(provider: Provider, { body }: OutsideAnswer): string {
  const value = parsed(body);
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

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
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
