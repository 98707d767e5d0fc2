import Type, { type Static } from 'typebox';
import { scalarOrder, toBytes32 } from '#src/access/humans/semaphore/field.ts';
import { hashSignal, numberOf, WorldIdHex } from './world-id-field.ts';
import { refusedByWorldId } from './world-id-portal.ts';

/** World ID's credential of a human who was verified as one (proof_of_human); others say less. */
const proofOfHuman = 1;

/** Fields of every response of a result. */
export const ResponseParts = {
  issuer_schema_id: Type.Integer(),
  signal_hash: Type.Optional(WorldIdHex),
} as const;

/** Fields of every result of IDKit 4 beside its responses. */
export const ResultParts = {
  protocol_version: Type.String(),
  nonce: WorldIdHex,
  environment: Type.Optional(Type.String()),
} as const;

const Response = Type.Object(ResponseParts);
const Result = Type.Object(ResultParts);

export interface WorldIdProof {
  /** The result of IDKit 4, as the client sent it. */
  readonly result: unknown;
  /** Signal that the proof must bind: the message of our challenge, as bytes. */
  readonly signal: Uint8Array;
  /** The nonce that we signed for this request. */
  readonly nonce: string;
}

/**
 * Checks what the portal does not, of a proof of either kind: protocol, environment, nonce, credential and signal.
 * Answers the one response.
 *
 * @throws AppError `invalid_proof` with what is wrong.
 */
export function assertOurRequest<R extends Static<typeof Response>>(
  { protocol_version, environment, nonce, responses }: Static<typeof Result> & { readonly responses: readonly R[] },
  wanted: Omit<WorldIdProof, 'result'>,
): R {
  // a proof of version 3 does not bind the nonce
  if (protocol_version !== '4.0') throw refusedByWorldId('a proof of protocol 4.0', protocol_version);
  if (environment !== 'production') throw refusedByWorldId('a proof from production', environment ?? 'no environment');
  if (numberOf(nonce) !== numberOf(wanted.nonce)) throw refusedByWorldId('the nonce of this challenge', 'another one');
  // the portal is content when any item holds, so there must be no other beside the one that counts
  const [item, ...others] = responses;
  if (!item || others.length > 0) throw refusedByWorldId('one response', `${responses.length}`);
  if (item.issuer_schema_id !== proofOfHuman)
    throw refusedByWorldId('a proof of human (schema 1)', `schema ${item.issuer_schema_id}`);
  if (numberOf(item.signal_hash ?? '0') !== hashSignal(wanted.signal))
    throw refusedByWorldId('a proof that binds this challenge as its signal', 'another signal');
  return item;
}

/**
 * The 32 bytes of a nullifier, however it is written.
 *
 * @throws AppError `invalid_proof` for a number that is none of the field's.
 */
export function nullifierOf(hex: string): Buffer {
  const value = numberOf(hex);
  // n and n + order could be the same nullifier
  if (value >= scalarOrder) throw refusedByWorldId('a nullifier below the scalar order', 'a larger number');
  return toBytes32(value);
}
