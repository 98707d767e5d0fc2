import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';

const IdentityFile = Compile(
  Type.Object({ kind: Type.Literal('proofline-identity'), secret: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
);

/**
 * The secret of an identity, 32 bytes, from its file.
 *
 * @throws AppError `invalid_request` where there is no such file, or it holds something else.
 */
export function readIdentity(file: string): Buffer {
  const content = contentOf(file);
  if (IdentityFile.Check(content)) return Buffer.from(content.secret, 'hex');
  throw new AppError(
    'invalid_request',
    `--identity: expected a file that "proofline human enrol" wrote, got ${JSON.stringify(file)}, which is none.`,
  );
}

/** The secret of an identity from its file; made, readable by its owner alone, where there is none. */
export function readOrMakeIdentity(file: string): Buffer {
  if (existsSync(file)) return readIdentity(file);
  // random, never from a password: who guesses it is this human
  const secret = randomBytes(32);
  const text = JSON.stringify({ kind: 'proofline-identity', secret: secret.toString('hex') });
  writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return secret;
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
