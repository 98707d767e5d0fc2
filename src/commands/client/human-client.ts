import { accountScope, challengeMessage } from '#src/access/humans/challenges/challenge-message.ts';
import { fromBytes } from '#src/access/humans/semaphore/field.ts';
import type { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import type { ChallengeBody, Purpose } from '#src/access/humans/store/challenge-store.ts';
import { answerSentence } from '#src/commands/terminal/failure.ts';
import { AppError } from '#src/lib/errors.ts';
import { openProver } from './prover.ts';

interface Challenge {
  readonly challengeId: string;
  readonly purpose: Purpose;
  readonly body: ChallengeBody;
}

interface MintedKey {
  readonly key: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** An API, and the address that it gives as its own where it is reached by another (through a tunnel, say). */
export interface Service {
  readonly url: string;
  readonly audience?: string | undefined;
}

/**
 * Enrols an identity at an API with an operator's invite, as any client does; answers the human's id and what vouches
 * for them.
 *
 * @throws AppError `unavailable` where the prover is not installed or the API refuses.
 */
export async function enrolOver(
  service: Service,
  secret: Uint8Array,
  invite: string,
): Promise<{ readonly human: string; readonly provider: string; readonly assurance: string }> {
  await using prover = await openProver();
  const commitment = prover.commitmentOf(secret);
  const challenge = await ask<Challenge>(service.url, '/api/v1/humans/challenge', { purpose: 'enrol', commitment });
  const proof = await prover.prove(secret, [commitment], signalsOf(service, 'enrol', challenge));
  return await ask(service.url, '/api/v1/humans/enrol', {
    challengeId: challenge.challengeId,
    commitment,
    proof,
    invite,
  });
}

/** Mints a key at an API by proving that the identity is enrolled there. @throws AppError as {@link enrolOver}. */
export async function mintOver(
  service: Service,
  secret: Uint8Array,
  wanted: {
    readonly name?: string;
    readonly scopes?: readonly string[];
    readonly allowedIps?: readonly string[];
    readonly expiresAt?: string;
  },
): Promise<MintedKey> {
  await using prover = await openProver();
  const { members } = await ask<{ readonly members: readonly string[] }>(service.url, '/api/v1/humans/group');
  const challenge = await ask<Challenge>(service.url, '/api/v1/humans/challenge', { purpose: 'key' });
  const proof = await prover.prove(secret, members, signalsOf(service, 'key', challenge));
  return await ask(service.url, '/api/v1/keys', { challengeId: challenge.challengeId, proof, ...wanted });
}

/**
 * Makes the proof that answers a challenge for a step of a mission, an approval, or a sign-in. The caller has shown the
 * person what it is about.
 *
 * @throws AppError as {@link enrolOver}, and `invalid_request` for a challenge of another service.
 */
export async function proveOver(
  service: Service,
  secret: Uint8Array,
  purpose: 'step' | 'approval' | 'person',
  challenge: Pick<Challenge, 'body'>,
): Promise<SemaphoreProof> {
  await using prover = await openProver();
  const { members } = await ask<{ readonly members: readonly string[] }>(service.url, '/api/v1/humans/group');
  return await prover.prove(secret, members, signalsOf(service, purpose, challenge));
}

/**
 * Returns the signals to prove. The message is computed from what the challenge says, so that nothing else is agreed
 * to.
 */
function signalsOf(
  { url, audience = url }: Service,
  purpose: Purpose,
  { body }: Pick<Challenge, 'body'>,
): { message: bigint; scope: bigint } {
  assertFor(audience, String(body['aud']));
  return { message: fromBytes(challengeMessage(purpose, body)), scope: accountScope };
}

/**
 * Refuses a challenge that one service hands on from another: it would enrol or mint there, for the service that handed
 * it on.
 */
function assertFor(url: string, audience: string): void {
  const [here, there] = [URL.parse(url), URL.parse(audience)];
  if (here && there && (here.origin === there.origin || (isLoopback(here) && isLoopback(there)))) return;
  throw new AppError(
    'invalid_request',
    `--url: expected the address that the service gives as its own, ${audience}, got ${url}; if that is the same service, say so with --audience.`,
  );
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/**
 * Sends a request to an API, a GET or with a body a POST, and returns its answer.
 *
 * @throws AppError `unavailable`, with the sentence of its problem where it refuses.
 */
export async function ask<T>(url: string, path: string, body?: unknown, key?: string): Promise<T> {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new AppError('unavailable', `expected an API at ${url}, got no answer.`, {}, error);
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as T;
  throw new AppError('unavailable', `${path} was answered with ${response.status}: ${answerSentence(text)}`);
}
