import type { Purpose } from '#src/access/humans/store/challenge-store.ts';
import { hashSignal } from '#src/access/humans/world-id/world-id-field.ts';
import type { Person } from './identities.ts';
import type { IdkitResult } from './world-id-portal.ts';

/** What a service asks of IDKit: the nonce that it signed, and the bytes that the proof binds (`0x…`). */
export interface WorldIdAsk {
  readonly nonce: string;
  readonly signal: string;
}

export const signalHashOf = (signal: string) =>
  `0x${hashSignal(Buffer.from(signal.replace(/^0x/, ''), 'hex')).toString(16)}`;

const item = {
  identifier: 'proof_of_human',
  issuer_schema_id: 1,
  expires_at_min: 1,
  proof: ['0x1', '0x2', '0x3', '0x4', '0x5'],
};
const common = { protocol_version: '4.0', environment: 'production' };

/** What IDKit gives for a uniqueness proof with the action `enrol`. */
export function uniqueResult({ nonce, signal }: WorldIdAsk, nullifier: string) {
  return {
    ...common,
    nonce,
    action: 'enrol',
    responses: [{ ...item, signal_hash: signalHashOf(signal), nullifier }],
  } satisfies IdkitResult;
}

/** What IDKit gives for `createSession` and `proveSession`; the latter with `require_user_presence`. */
export function sessionResult(
  { nonce, signal }: WorldIdAsk,
  session_id: string,
  session_nullifier: readonly [string, string],
) {
  return {
    ...common,
    nonce,
    session_id,
    user_presence_completed: true,
    responses: [{ ...item, signal_hash: signalHashOf(signal), session_nullifier }],
  } satisfies IdkitResult;
}

/** The id of a session: a commitment and a seed. */
export const sessionId = (n: number) => `session_${n.toString(16).padStart(128, 'a')}`;

export interface WorldIdPerson {
  readonly who: Pick<Person, 'commitment' | 'prove'>;
  /** Nullifier of the uniqueness proof. */
  readonly nullifier: string;
  readonly session: string;
  readonly sessionNullifier: readonly [string, string];
}

interface EnrolChallenge {
  readonly challengeId: string;
  readonly purpose: Purpose;
  readonly body: Readonly<Record<string, string>>;
  readonly worldId: {
    readonly signal: string;
    readonly rpContext: { readonly nonce: string };
    readonly sessionRpContext: { readonly nonce: string };
  };
}

/** Enrols somebody by World ID as a client does, by two requests; answers what the last was answered with. */
export async function enrolByWorldId(
  post: (url: string, body: object) => Promise<any>,
  { who, nullifier, session, sessionNullifier }: WorldIdPerson,
): Promise<any> {
  const { commitment } = who;
  const asked: EnrolChallenge = await post('/api/v1/humans/challenge', {
    purpose: 'enrol',
    commitment,
    provider: 'world-id',
  });
  const { signal, rpContext, sessionRpContext } = asked.worldId;
  return await post('/api/v1/humans/enrol', {
    challengeId: asked.challengeId,
    commitment,
    proof: await who.prove([commitment], asked),
    worldId: uniqueResult({ nonce: rpContext.nonce, signal }, nullifier),
    worldIdSession: sessionResult({ nonce: sessionRpContext.nonce, signal }, session, sessionNullifier),
  });
}
