import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ask, proveOver, type Service } from '#src/commands/client/human-client.ts';
import { isAgreed, shownExactly } from '#src/commands/terminal/agree.ts';
import { AppError } from '#src/lib/errors.ts';

/** The console's code, one word: JSON in base64url. */
const Code = Type.Object({
  challengeId: Type.String(),
  body: Type.Object({ email: Type.String(), exp: Type.String() }, { additionalProperties: true }),
});

/**
 * Makes the person whom a code of the console names known as the human whose identity this is, once they have read who
 * that is; answers the e-mail address.
 *
 * @throws AppError `invalid_request` for a code that does not exist, `cancelled` without the answer yes, and as
 *   `proveOver`.
 */
export async function standBehind(service: Service, secret: Uint8Array, code: string, yes: boolean): Promise<string> {
  const { challengeId, body } = read(code);
  process.stderr.write(
    `The person signed in as this will be known as you at ${service.url}, and act in your name there; what has an effect\noutside still takes a proof of yours each time:\n${shownExactly(body.email)}\n`,
  );
  if (!yes && !(await isAgreed('Is this you?')))
    throw new AppError('cancelled', 'Nothing was proven: expected the answer yes, or the option --yes.');
  const proof = await proveOver(service, secret, 'person', { body });
  const { email } = await ask<{ readonly email: string }>(service.url, '/auth/human', { challengeId, proof });
  return email;
}

function read(code: string) {
  try {
    const value: unknown = JSON.parse(Buffer.from(code, 'base64url').toString('utf8'));
    if (Value.Check(Code, value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new AppError(
    'invalid_request',
    'expected the code that the console shows behind "human prove", got something else; copy all of it.',
  );
}
