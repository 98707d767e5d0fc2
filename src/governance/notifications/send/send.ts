import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '#src/governance/notifications/endpoints/endpoint-row.ts';
import { secretsOf } from '#src/governance/notifications/endpoints/endpoint-secret.ts';
import { postSigned } from '#src/governance/owners/post-signed.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { bodyFor } from './bodies.ts';
import { clip } from './clip.ts';
import { sendMail } from './send-mail.ts';

/** Longest time of one attempt, ms: a receiver that hangs holds a place for no longer. */
export const ATTEMPT_MS = 10_000;
/** Longest wait that a receiver may ask for, seconds: one careless answer must not silence an endpoint for long. */
const MOST_WAIT_S = 3_600;

/** Outcome of one attempt. */
export interface Attempt {
  /** Status of the answer; null where there was none. */
  readonly status: number | null;
  /** Null where the receiver took the message. */
  readonly error: string | null;
  /** True where no attempt after it can succeed. */
  readonly isFinal: boolean;
  /** Seconds after which the receiver wants to be asked again; null where it does not say. */
  readonly retryAfterS: number | null;
  readonly tookMs: number;
  /** Beginning of the answer. */
  readonly answer: string;
}

interface Outgoing {
  /** Name of the message, the same at every attempt. */
  readonly id: string;
  /** JSON text of the event. */
  readonly body: string;
}

type Outcome = Omit<Attempt, 'tookMs'>;

/** Makes one attempt to deliver a message. @throws the signal’s reason alone; whatever fails otherwise is the outcome */
export async function attemptDelivery(
  context: Context,
  endpoint: Endpoint,
  message: Outgoing,
  signal: AbortSignal,
): Promise<Attempt> {
  const begun = performance.now();
  const send = endpoint.format === 'mail' ? mail : post;
  const outcome = await send(context, endpoint, message, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    return failure(endpoint, error);
  });
  return { ...outcome, tookMs: Math.round(performance.now() - begun) };
}

async function post(
  context: Context,
  endpoint: Endpoint,
  { id, body }: Outgoing,
  signal: AbortSignal,
): Promise<Outcome> {
  const { format, url } = endpoint;
  const { config } = context;
  const answer = await postSigned(
    {
      url,
      origins: config.PLATFORM_WEBHOOK_ORIGINS,
      anywhere: true,
      id,
      body: bodyFor(format === 'mail' ? 'raw' : format, body),
      secrets: await secretsOf(context, endpoint, new Date()),
      timeoutMs: ATTEMPT_MS,
    },
    signal,
  );
  const { status, headers } = answer;
  const isTaken = status >= 200 && status <= 299;
  return {
    status,
    error: isTaken ? null : `expected ${new URL(url).origin} to take the message, got ${status}.`,
    // Gone: its owner wants no more
    isFinal: status === 410,
    retryAfterS: isTaken ? null : retryAfter(headers),
    answer: clip(answer.body.toString('utf8'), 500),
  };
}

async function mail(context: Context, { url }: Endpoint, { id, body }: Outgoing): Promise<Outcome> {
  const to = url.slice('mailto:'.length);
  const response = await sendMail(context, { id, to, body });
  return { status: null, error: null, isFinal: false, retryAfterS: null, answer: clip(response, 500) };
}

function failure({ url, format }: Endpoint, error: unknown): Outcome {
  const isRefused = error instanceof AppError && error.code === 'forbidden';
  const place = format === 'mail' ? 'the mail server' : new URL(url).origin;
  // the caller’s own signal was looked at before: what aborted it is the time
  const isLate = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
  const why = error instanceof AppError || format === 'mail' ? (error as Error).message : 'the exchange broke off';
  return {
    status: null,
    error: isLate ? `${place} did not answer within ${ATTEMPT_MS / 1_000} s.` : clip(`${place}: ${why}`, 500),
    isFinal: isRefused && !isPrivateName(error),
    retryAfterS: null,
    answer: '',
  };
}

/** A name that leads to a private address now may lead to a public one again. */
function isPrivateName({ details }: AppError): boolean {
  return details['reason'] === 'private_address';
}

/** Seconds of a Retry-After header, given as seconds or as a time; at most {@link MOST_WAIT_S}. */
function retryAfter(headers: IncomingHttpHeaders): number | null {
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), MOST_WAIT_S) : null;
}
