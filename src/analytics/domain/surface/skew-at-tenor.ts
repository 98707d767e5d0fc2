import { expirySkew, type Surface } from './surface.ts';

export const THIRTY_DAYS = 30 / 365;

/**
 * 𝒮 = ∂σ/∂k at the money, at a time in years, from the smiles of the expiries that have one: 𝒮·√T is linear in time
 * between two of them and flat outside, since skew falls about with the root of time. Null without any.
 */
export function skewAtTenor(surface: Surface, years: number): number | null {
  const known = surface.expiries.flatMap((expiry) => {
    const skew = expirySkew(surface, expiry);
    return skew === null ? [] : [{ years: expiry.years, scaled: skew * Math.sqrt(expiry.years) }];
  });
  const [before, after] = [known.findLast((at) => at.years <= years), known.find((at) => at.years > years)];
  const [from, to] = [before ?? after, after ?? before];
  if (!from || !to) return null;
  const share = to.years > from.years ? Math.min(Math.max((years - from.years) / (to.years - from.years), 0), 1) : 0;
  return ((1 - share) * from.scaled + share * to.scaled) / Math.sqrt(years);
}
