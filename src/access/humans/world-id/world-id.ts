import { createHash } from 'node:crypto';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { fromBytes } from '#src/access/humans/semaphore/field.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { numberOf, WorldIdHex } from './world-id-field.ts';
import { askPortal, type PortalAnswer, refusedByWorldId } from './world-id-portal.ts';
import { assertOurRequest, nullifierOf, ResponseParts, ResultParts, type WorldIdProof } from './world-id-result.ts';

/** Fields that are read of an IDKit 4 result; the rest goes to the portal as it came. */
const Result = Type.Object({
  ...ResultParts,
  action: Type.String(),
  session_id: Type.Optional(Type.Unknown()),
  responses: Type.Array(Type.Object({ ...ResponseParts, nullifier: WorldIdHex }), { minItems: 1, maxItems: 20 }),
});

const readResult = Compile(Result);

type Settings = Pick<Config, 'WORLD_ID_RP_ID' | 'WORLD_ID_ACTION' | 'WORLD_ID_URL'>;

/**
 * Has World's portal check a uniqueness proof, and checks what the portal does not: that it is about our challenge,
 * nonce and action, of protocol 4.0, in production, and shows a human. Answers the SHA-256 of the nullifier: the portal
 * says yes to one that was used before, so who calls must let it enrol once.
 *
 * @throws AppError `invalid_proof` with what is wrong, or `unavailable` when the portal does not answer properly.
 */
export async function verifyWorldId(settings: Settings, proof: WorldIdProof): Promise<Buffer> {
  const nullifier = assertOurs(settings, proof);
  assertConfirmed(settings, await askPortal(settings, proof.result), fromBytes(nullifier));
  return createHash('sha256').update('world-id/v4\n').update(nullifier).digest();
}

/** Checks that the result is of our request. Answers the nullifier. */
function assertOurs({ WORLD_ID_ACTION }: Settings, { result, ...wanted }: WorldIdProof): Buffer {
  if (!readResult.Check(result)) throw refusedByWorldId('the result of IDKit 4', 'something else');
  const { action, session_id } = result;
  if (action !== WORLD_ID_ACTION) throw refusedByWorldId(`the action ${WORLD_ID_ACTION}`, action);
  if (session_id !== undefined) throw refusedByWorldId('a proof of uniqueness', 'one of a session');
  return nullifierOf(assertOurRequest(result, wanted).nullifier);
}

/** Checks that the portal confirms what was requested, not something else that it found valid. */
function assertConfirmed({ WORLD_ID_ACTION }: Settings, answer: PortalAnswer, nullifier: bigint): void {
  const { protocol_version, environment, action, results = [] } = answer;
  if (protocol_version !== '4.0') throw refusedByWorldId('a confirmation for protocol 4.0', protocol_version ?? 'none');
  if (environment !== 'production')
    throw refusedByWorldId('a confirmation from production', environment ?? 'no environment');
  if (action !== WORLD_ID_ACTION)
    throw refusedByWorldId(`a confirmation for the action ${WORLD_ID_ACTION}`, action ?? 'none');
  const isSame = (text: string | undefined) => text !== undefined && numberOf(text) === nullifier;
  const [result, ...others] = results;
  if (!result?.success || others.length > 0 || !isSame(result.nullifier) || !isSame(answer.nullifier))
    throw refusedByWorldId('a confirmation of this proof', 'one of another');
}
