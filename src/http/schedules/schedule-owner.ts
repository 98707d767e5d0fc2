import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';

/** Stands for the schedules of all owners. */
export const EVERY_OWNER = '*';

/** Query of routes of one schedule that operators call for other owners. */
export const OwnerQuery = Type.Object({
  owner: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Owner of the schedule; you without it. Another owner needs a key of an operator',
    }),
  ),
});

/** Owner whose schedules a caller means. @throws AppError `forbidden` for others, but for operators */
export function scheduleOwner({ owner: self, operator }: Principal, wanted: string | undefined): string {
  if (wanted === undefined || wanted === self || operator) return wanted ?? self;
  throw new AppError(
    'forbidden',
    `expected a key of an operator with owner=${wanted}, got one without that flag: leave owner out for your own schedules.`,
    { operator: false, reason: 'operator' },
  );
}

/** Writes the place behind which a page of schedules begins; no name of a schedule has a slash. */
export function placeOf({ owner, name }: { readonly owner: string; readonly name: string }, isWide: boolean): string {
  return isWide ? `${owner}/${name}` : name;
}

/** Reads such a place, of one owner or of all. */
export function readPlace(after: string, owner: string): { readonly owner: string; readonly name: string } {
  if (owner !== EVERY_OWNER) return { owner, name: after };
  const slash = after.lastIndexOf('/');
  return { owner: after.slice(0, Math.max(0, slash)), name: after.slice(slash + 1) };
}
