import type { ErrorReason } from '#src/lib/error-reasons.ts';
import { AppError } from '#src/lib/errors.ts';
import { isWithin } from './address-ranges.ts';
import type { Key } from './keys.ts';

/** The rule below, for readers of descriptions of routes. */
export const mayChangeWords =
  'A key may do it to itself, and to keys of its owner that hold no more than it does and that it or a lesser key made; everything else takes a signed-in person or a key of an operator (403).';

type Deed = 'change or revoke it' | 'read what it was used for';

/**
 * Refuses a key that wants to change or revoke another one, or to read its use. It may do so to itself, and to keys of
 * its owner that hold no more than it does and that it made, or that a lesser key made. Everything else takes a
 * signed-in person or an operator. A key that was given away for reading must not end the work of its owner, nor show
 * from where and for what others call.
 *
 * @param maker the key that made `key`; null where no key did or none was recorded
 * @throws AppError `forbidden` with the first reason why not.
 */
export function assertMayManage(deed: Deed, caller: Key, key: Key, maker: Key | null): void {
  if (caller.operator || caller.id === key.id) return;
  const more = moreThan(key, caller);
  if (more !== null) throw refusal(deed, 'key_holds_more', `a key that holds no more than yours, got one ${more}`);
  if (key.made_by === caller.id || (maker !== null && isLesser(maker, caller))) return;
  throw refusal(
    deed,
    'key_made_by_another',
    `a key that yours or a lesser one made, got one that ${maker === null ? 'no key made' : 'another key made'}`,
  );
}

/** Checks whether one key holds less than another: nothing beyond it, and not all of it. */
function isLesser(one: Key, other: Key): boolean {
  return moreThan(one, other) === null && moreThan(other, one) !== null;
}

/** Names what a key holds beyond another one, as the words after "one …"; null where that is nothing. */
function moreThan(key: Key, bound: Key): string | null {
  const scope = key.scopes.find((one) => !bound.scopes.includes(one));
  if (scope !== undefined) return `with the scope ${scope}`;
  if (key.operator && !bound.operator) return 'of an operator';
  if (key.human_id !== null && key.human_id !== bound.human_id) return 'that is bound to a verified human';
  const isWider =
    key.allowed_ips.length === 0
      ? bound.allowed_ips.length > 0
      : !key.allowed_ips.every((range) => isWithin(range, bound.allowed_ips));
  if (isWider) return 'that may be used from addresses from which yours may not';
  const isLonger = bound.expires_at !== null && (key.expires_at === null || key.expires_at > bound.expires_at);
  return isLonger ? 'that is valid for longer' : null;
}

function refusal(deed: Deed, reason: ErrorReason<'forbidden'>, expected: string): AppError {
  return new AppError('forbidden', `expected ${expected}. Sign in at /auth/sign-in, or ask an operator, to ${deed}.`, {
    reason,
  });
}
