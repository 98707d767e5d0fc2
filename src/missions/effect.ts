import { hash } from 'node:crypto';
import { canonicalText } from '#src/lib/canonical-json.ts';

/** SHA-256 of exactly what a step will do, lower-case hexadecimal: what a human is shown and approves. */
export function effectHash(capability: string, input: unknown): string {
  return hash('sha256', `platform/effect/v1\n${canonicalText({ capability, input })}`, 'hex');
}
