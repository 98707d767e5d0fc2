import { hash } from 'node:crypto';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import type { StepRun } from './step-run.ts';

/** SHA-256 of a text's UTF-8, or of the canonical JSON (RFC 8785) of anything else. */
export const digestContent: StepRun = async ({ payload: { input } }) => {
  const { value } = input as { value: unknown };
  const text = typeof value === 'string' ? value : canonicalText(value);
  return {
    sha256: hash('sha256', text, 'hex'),
    bytes: Buffer.byteLength(text),
    of: typeof value === 'string' ? 'text' : 'canonical JSON',
  };
};
