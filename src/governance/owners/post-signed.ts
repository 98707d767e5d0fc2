import { callOutside, type OutsideAnswer } from '#src/system/outside/outside.ts';
import { signWebhook } from './webhook-signature.ts';

/** Longest time of one exchange with a receiver, ms. */
export const RECEIVER_MS = 20_000;
/** Most bytes of a receiver's answer, of which the status alone counts. */
const MOST_BYTES = 65_536;

export interface SignedPost {
  readonly url: string;
  /** Origins that may be called, private ones among them. */
  readonly origins: readonly string[];
  /** True: any https address of the open internet may be called too. */
  readonly anywhere?: boolean;
  /** Name of the message: the same at every attempt. */
  readonly id: string;
  /** JSON text. */
  readonly body: string;
  /** Secrets that it is signed with. */
  readonly secrets: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * Sends one message to a receiver, signed as Standard Webhooks has it. Every message of ours to addresses of others goes
 * through here: private addresses are refused at the moment of the connection, and redirects are answers.
 *
 * @throws as `callOutside`
 */
export async function postSigned(
  { url, origins, anywhere = false, id, body, secrets, timeoutMs = RECEIVER_MS }: SignedPost,
  signal: AbortSignal,
): Promise<OutsideAnswer> {
  return await callOutside({
    url,
    origins,
    anywhere,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signWebhook(secrets, id, body) },
    body,
    mostBytes: MOST_BYTES,
    timeoutMs,
    signal,
  });
}
