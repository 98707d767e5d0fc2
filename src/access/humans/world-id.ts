import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import { prefixedHexOf } from '#src/lib/hex.ts';
import type { Config } from '#src/system/config.ts';
import { toBytes32 } from './field.ts';

/** World ID's credential of a human who was verified as one (proof_of_human); others say less. */
const proofOfHuman = 1;

const Hex = Type.String({ pattern: '^(0x)?[0-9a-fA-F]{1,64}$', maxLength: 66 });

/** What is read of an IDKit 4 result; the rest goes to the portal as it came. */
const Result = Type.Object({
  protocol_version: Type.String(),
  nonce: Hex,
  action: Type.String(),
  environment: Type.Optional(Type.String()),
  session_id: Type.Optional(Type.Unknown()),
  responses: Type.Array(
    Type.Object({ issuer_schema_id: Type.Integer(), signal_hash: Type.Optional(Hex), nullifier: Hex }),
    { minItems: 1, maxItems: 20 },
  ),
});

const Answer = Type.Object({
  success: Type.Boolean(),
  action: Type.Optional(Type.String()),
  nullifier: Type.Optional(Hex),
  protocol_version: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  results: Type.Optional(Type.Array(Type.Object({ success: Type.Boolean(), nullifier: Type.Optional(Hex) }))),
  code: Type.Optional(Type.String()),
});

const readResult = Compile(Result);
const readAnswer = Compile(Answer);

const patienceMs = 10_000;
const longestAnswer = 65_536;

type Settings = Pick<Config, 'WORLD_ID_RP_ID' | 'WORLD_ID_ACTION' | 'WORLD_ID_URL'>;

export interface WorldIdProof {
  /** The result of IDKit 4, as the client sent it. */
  readonly result: unknown;
  /** What the proof must bind: the message of our challenge, as bytes. */
  readonly signal: Uint8Array;
  /** The nonce that we signed for this enrolment. */
  readonly nonce: string;
}

/**
 * Has World's portal check a uniqueness proof, and checks what the portal does not: that it is about our challenge, nonce
 * and action, of protocol 4.0, in production, and shows a human. Answers the SHA-256 of the nullifier: the portal says
 * yes to one that was used before, so who calls must let it enrol once.
 *
 * @throws AppError `invalid_proof` with what is wrong, or `unavailable` when the portal does not answer properly.
 * @see https://docs.world.org, `POST /api/v4/verify/{rp_id}`
 */
export async function verifyWorldId(settings: Settings, proof: WorldIdProof): Promise<Buffer> {
  const nullifier = assertOurs(settings, proof);
  const answer = await askPortal(settings, proof.result);
  assertConfirmed(settings, answer, nullifier);
  return createHash('sha256').update('world-id/v4\n').update(toBytes32(nullifier)).digest();
}

/** World's hash of a signal: Keccak-256 without its last 8 bits. Of bytes: a text that looks like hexadecimal is hashed in another way. */
export function hashSignal(signal: Uint8Array): bigint {
  return numberOf(prefixedHexOf(keccak_256(signal))) >> 8n;
}

/** What the result says must be what we asked for. Answers the nullifier. */
function assertOurs({ WORLD_ID_ACTION }: Settings, { result, signal, nonce }: WorldIdProof): bigint {
  if (!readResult.Check(result)) throw refused('the result of IDKit 4', 'something else');
  const { protocol_version, environment, action, responses, session_id } = result;
  // a proof of version 3 does not bind the nonce
  if (protocol_version !== '4.0') throw refused('a proof of protocol 4.0', protocol_version);
  if (environment !== 'production') throw refused('a proof from production', environment ?? 'no environment');
  if (action !== WORLD_ID_ACTION) throw refused(`the action ${WORLD_ID_ACTION}`, action);
  if (session_id !== undefined) throw refused('a proof of uniqueness', 'one of a session');
  if (numberOf(result.nonce) !== numberOf(nonce)) throw refused('the nonce of this challenge', 'another one');
  // the portal is content when any item holds, so there must be no other beside the one that counts
  const [item, ...others] = responses;
  if (!item || others.length > 0) throw refused('one response', `${responses.length}`);
  if (item.issuer_schema_id !== proofOfHuman)
    throw refused('a proof of human (schema 1)', `schema ${item.issuer_schema_id}`);
  if (numberOf(item.signal_hash ?? '0') !== hashSignal(signal))
    throw refused('a proof that binds this challenge as its signal', 'another signal');
  return numberOf(item.nullifier);
}

async function askPortal({ WORLD_ID_URL, WORLD_ID_RP_ID }: Settings, result: unknown): Promise<Static<typeof Answer>> {
  const body = JSON.stringify({ ...Object(result), min_protocol_version: '4.0' });
  const response = await fetch(`${WORLD_ID_URL}/api/v4/verify/${encodeURIComponent(WORLD_ID_RP_ID)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  }).catch((error: unknown) => {
    throw away('no answer', error);
  });
  if (response.status >= 500 || response.status === 429) throw away(`status ${response.status}`);
  const answer = parse(await textOf(response));
  if (!readAnswer.Check(answer)) throw away('an answer of another shape');
  if (!response.ok || !answer.success)
    throw refused('a proof that World ID confirms', answer.code ?? `status ${response.status}`);
  return answer;
}

/** What the portal confirms must be what was asked, not something else that it found to hold. */
function assertConfirmed({ WORLD_ID_ACTION }: Settings, answer: Static<typeof Answer>, nullifier: bigint): void {
  const { protocol_version, environment, action, results = [] } = answer;
  if (protocol_version !== '4.0') throw refused('a confirmation for protocol 4.0', protocol_version ?? 'none');
  if (environment !== 'production') throw refused('a confirmation from production', environment ?? 'no environment');
  if (action !== WORLD_ID_ACTION) throw refused(`a confirmation for the action ${WORLD_ID_ACTION}`, action ?? 'none');
  const isSame = (text: string | undefined) => text !== undefined && numberOf(text) === nullifier;
  const [result, ...others] = results;
  if (!result?.success || others.length > 0 || !isSame(result.nullifier) || !isSame(answer.nullifier))
    throw refused('a confirmation of this proof', 'one of another');
}

/** Reads so much and no more: the portal's address is a setting, but what answers there need not be the portal. */
async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > longestAnswer) throw new RangeError('the answer is too long');
    }
  } catch (error) {
    throw away('an answer that cannot be read', error);
  }
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw away('an answer that is not JSON', error);
  }
}

function numberOf(hex: string): bigint {
  return BigInt(hex.startsWith('0x') ? hex : `0x${hex}`);
}

function refused(expected: string, got: string): AppError {
  return new AppError('invalid_proof', `World ID: expected ${expected}, got ${got.slice(0, 80)}.`, {
    field: 'body.worldId',
  });
}

function away(got: string, cause?: unknown): AppError {
  return new AppError('unavailable', `World ID: expected an answer from its portal, got ${got}. Try again.`, {}, cause);
}
