import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { fromBytes } from '#src/access/humans/semaphore/field.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { numberOf, WorldIdHex } from './world-id-field.ts';
import { askPortal, type PortalAnswer, refusedByWorldId } from './world-id-portal.ts';
import { assertOurRequest, nullifierOf, ResponseParts, ResultParts, type WorldIdProof } from './world-id-result.ts';

/** Fields that are read of a result of `createSession` or `proveSession`; the rest goes to the portal as it came. */
const Result = Type.Object({
  ...ResultParts,
  action: Type.Optional(Type.Unknown()),
  session_id: Type.String({ pattern: '^session_[0-9a-fA-F]{128}$' }),
  user_presence_completed: Type.Optional(Type.Boolean()),
  responses: Type.Array(
    Type.Object({ ...ResponseParts, session_nullifier: Type.Array(WorldIdHex, { minItems: 2, maxItems: 2 }) }),
    { minItems: 1, maxItems: 20 },
  ),
});

const readResult = Compile(Result);

/** A session proof that holds. The portal confirms one as often as it is queried: the caller must let it count once. */
export interface WorldIdSession {
  /** `session_` and 128 lower-case hexadecimal digits: the same whenever this World ID proves this session. */
  readonly id: string;
  /** Both elements of `session_nullifier`, 32 bytes each: those of one proof. */
  readonly nullifier: Buffer;
  readonly action: Buffer;
}

/**
 * Has World's portal check a session proof, and checks what the portal does not, as for a proof of uniqueness. With
 * `presence` World App must also have had its user confirm that they are there (`require_user_presence` of the
 * request).
 *
 * @throws AppError `invalid_proof` with what is wrong, or `unavailable` when the portal does not answer properly.
 * @see worldcoin/developer-portal web/api/v4/verify/session-proof, for what is answered
 */
export async function verifyWorldIdSession(
  settings: Pick<Config, 'WORLD_ID_RP_ID' | 'WORLD_ID_URL'>,
  { result, ...wanted }: WorldIdProof,
  { presence }: { readonly presence: boolean },
): Promise<WorldIdSession> {
  if (!readResult.Check(result)) throw refusedByWorldId('the result of a session of IDKit 4', 'something else');
  if (result.action !== undefined) throw refusedByWorldId('a proof of a session', 'one for an action');
  const { session_nullifier } = assertOurRequest(result, wanted);
  if (presence && result.user_presence_completed !== true)
    throw refusedByWorldId('a proof whose user was there (require_user_presence)', 'one without that');
  const [nullifier, action] = session_nullifier.map(nullifierOf) as [Buffer, Buffer];
  assertConfirmed(await askPortal(settings, result), result.session_id, fromBytes(nullifier));
  return { id: result.session_id.toLowerCase(), nullifier, action };
}

/** Checks that the portal confirms what was requested. It names no protocol for a session: there is none before 4.0. */
function assertConfirmed(answer: PortalAnswer, session: string, nullifier: bigint): void {
  const { protocol_version = '4.0', environment, session_id, results = [] } = answer;
  if (protocol_version !== '4.0') throw refusedByWorldId('a confirmation for protocol 4.0', protocol_version);
  if (environment !== 'production')
    throw refusedByWorldId('a confirmation from production', environment ?? 'no environment');
  if (session_id !== session) throw refusedByWorldId('a confirmation for this session', session_id ?? 'none');
  const [result, ...others] = results;
  const isSame = result?.nullifier !== undefined && numberOf(result.nullifier) === nullifier;
  if (!result?.success || others.length > 0 || result.sessionId !== session || !isSame)
    throw refusedByWorldId('a confirmation of this proof', 'one of another');
}
