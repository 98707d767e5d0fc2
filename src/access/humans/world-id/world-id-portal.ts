import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { WorldIdHex } from './world-id-field.ts';

/** Fields that are read of an answer: those of a uniqueness proof, and those of a session proof. */
const Answer = Type.Object({
  success: Type.Boolean(),
  action: Type.Optional(Type.String()),
  nullifier: Type.Optional(WorldIdHex),
  session_id: Type.Optional(Type.String()),
  protocol_version: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  results: Type.Optional(
    Type.Array(
      Type.Object({
        success: Type.Boolean(),
        nullifier: Type.Optional(WorldIdHex),
        sessionId: Type.Optional(Type.String()),
      }),
    ),
  ),
  code: Type.Optional(Type.String()),
});
export type PortalAnswer = Static<typeof Answer>;

const readAnswer = Compile(Answer);

const patienceMs = 10_000;
const longestAnswer = 65_536;

/**
 * Has World's portal check the mathematics of a proof. That it says yes is not enough: what it confirms is for the
 * caller to compare.
 *
 * @throws AppError `invalid_proof` when it says no, or `unavailable` when it does not answer properly.
 * @see https://docs.world.org, `POST /api/v4/verify/{rp_id}`
 */
export async function askPortal(
  { WORLD_ID_URL, WORLD_ID_RP_ID }: Pick<Config, 'WORLD_ID_URL' | 'WORLD_ID_RP_ID'>,
  result: unknown,
): Promise<PortalAnswer> {
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
    throw refusedByWorldId('a proof that World ID confirms', answer.code ?? `status ${response.status}`);
  return answer;
}

export function refusedByWorldId(expected: string, got: string): AppError {
  return new AppError('invalid_proof', `World ID: expected ${expected}, got ${got.slice(0, 80)}.`);
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

function away(got: string, cause?: unknown): AppError {
  return new AppError('unavailable', `World ID: expected an answer from its portal, got ${got}. Try again.`, {}, cause);
}
