import { type Certified, CLEAR } from './refit-svi.ts';
import type { RawSvi } from './svi.ts';
import { certifySvi } from './svi-certificate.ts';
import { jumpWingsToRaw, rawToJumpWings, repairJumpWings } from './svi-forms.ts';

const HALVINGS = 12;

/**
 * The smile on the way from the published repair (same variance and slope at the money, same put wing) to the given
 * one that is nearest to the given one and holds its certificate. Null where not even the repair holds it.
 */
export function repairSvi(raw: RawSvi, years: number): Certified | null {
  const given = rawToJumpWings(raw, years);
  const safe = given && repairJumpWings(given);
  if (!given || !safe) return null;
  const between = (t: number) => {
    const smile = jumpWingsToRaw(
      { ...safe, c: safe.c + t * (given.c - safe.c), vtilde: safe.vtilde + t * (given.vtilde - safe.vtilde) },
      years,
    );
    const certificate = smile && certifySvi(smile);
    return certificate?.holds && certificate.leastG >= CLEAR ? { raw: smile!, certificate } : null;
  };
  let best = between(0);
  if (!best) return null;
  let low = 0;
  let high = 1;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = 0.5 * (low + high);
    const found = between(middle);
    if (found) {
      best = found;
      low = middle;
    } else high = middle;
  }
  return best;
}
