import Type, { type Static } from 'typebox';
import { type AreaName, areaNames } from '#queues/terms.ts';

/** One area that an effect touches, and why. */
export const Area = Type.Object(
  {
    area: Type.Enum([...areaNames], { type: 'string' }),
    why: Type.String({ description: 'Part of the effect that touches it, in a sentence' }),
  },
  { title: 'ApprovalArea', additionalProperties: false },
);
export type Area = Static<typeof Area>;

/** Areas in which the decision takes a proof of personhood besides the sign-in. */
const needProof: ReadonlySet<AreaName> = new Set(['publishing', 'voiceAndLikeness']);

/** Checks whether a decision on an effect of these areas takes a proof that a verified human makes it. */
export function needsHumanProof(areas: readonly Area[]): boolean {
  return areas.some(({ area }) => needProof.has(area));
}
