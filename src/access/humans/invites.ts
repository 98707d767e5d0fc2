import { randomBytes, randomUUIDv7, timingSafeEqual } from 'node:crypto';
import type { CommonQueryMethods } from 'slonik';
import {
  deleteOpenInvite,
  type InviteRow,
  insertInvite,
  selectInvite,
  updateUsed,
} from '#src/access/humans/store/invite-store.ts';
import { hashesOf, hashKey } from '#src/access/keys/key-hash.ts';
import { missionScopes, scopeOf, tierOf } from '#src/access/keys/keys.ts';
import type { ErrorReason } from '#src/lib/error-reasons.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';

const dayMs = 86_400_000;

/** Longest life of an invite, in days. */
export const longestInviteDays = 30;

interface Store {
  readonly db: CommonQueryMethods;
  readonly config: Config;
}

export interface InviteRequest {
  /** For whom it is, in the operator's words: one line. */
  readonly label: string;
  /** Operator who makes it. */
  readonly createdBy: string;
  /** Scopes that the human may put into keys; by default those of missions. */
  readonly scopes?: readonly string[];
  readonly tier?: string;
  /** 1 to 30; 7 where nothing is said. */
  readonly days?: number;
}

/**
 * Makes a code that one person may enrol with, once. The operator vouches for who gets it; that is all the assurance
 * there is. The code is in this answer and nowhere else.
 *
 * @throws AppError `invalid_request` for a bad label or time, an unknown scope or tier.
 */
export async function createInvite(
  { db, config }: Store,
  { label, createdBy, scopes = missionScopes, tier = 'standard', days = 7 }: InviteRequest,
): Promise<{ readonly invite: InviteRow; readonly code: string }> {
  if (!/^[^\p{C}]{1,100}$/u.test(label) || label.trim() === '')
    throw wrong('label', '1 to 100 characters without line breaks and other controls', label);
  if (!Number.isInteger(days) || days < 1 || days > longestInviteDays)
    throw wrong('days', `a whole number from 1 to ${longestInviteDays}`, days);
  const code = `invite-${randomBytes(24).toString('base64url')}`;
  const invite = await insertInvite(db, {
    id: randomUUIDv7(),
    hash: hashKey(config, code),
    label,
    scopes: scopes.map(scopeOf),
    tier: tierOf(tier),
    createdBy,
    ttlMs: days * dayMs,
  });
  return { invite, code };
}

/**
 * The invite of a code that can still be used. The code is looked up by its HMAC, so the time that takes says nothing
 * about the codes there are.
 *
 * @throws AppError `invalid_invite`; only who holds a code that exists hears more than that.
 */
export async function findInvite({ db, config }: Store, code: string): Promise<InviteRow> {
  const hashes = hashesOf(config, code);
  const found = await selectInvite(db, hashes);
  if (!found || !hashes.some((hash) => timingSafeEqual(found.hash, hash)))
    throw refused('unknown', 'one that does not exist');
  if (found.used_at) throw refused('used', 'one that was used');
  if (found.expires_at.getTime() <= Date.now())
    throw refused('expired', `one that expired at ${found.expires_at.toISOString()}`);
  return found;
}

/**
 * Uses an invite up, in the transaction that enrols. @throws AppError `invalid_invite` when another enrolment was
 * faster.
 */
export async function useInvite(tx: CommonQueryMethods, id: string): Promise<void> {
  if (!(await updateUsed(tx, id))) throw refused('used', 'one that was used or withdrawn');
}

/**
 * Withdraws an unused invite: its code is then as one that never existed. A human who enrols at the same moment is
 * either enrolled, and the invite is not withdrawn, or refused.
 *
 * @throws AppError `not_found` where there is none, or it was used or has expired.
 */
export async function withdrawInvite({ db }: Pick<Store, 'db'>, id: string): Promise<InviteRow> {
  const withdrawn = await deleteOpenInvite(db, id);
  if (withdrawn) return withdrawn;
  throw new AppError(
    'not_found',
    `expected the id of an invite that is open, got ${JSON.stringify(id.slice(0, 80))}; who enrolled with one is removed as a human.`,
    { field: 'id', value: id.slice(0, 80) },
  );
}

function refused(reason: ErrorReason<'invalid_invite'>, got: string): AppError {
  return new AppError('invalid_invite', `expected an invite that can be used, got ${got}. Ask the operator for one.`, {
    field: 'body.invite',
    reason,
  });
}

function wrong(field: string, expected: string, value: unknown): AppError {
  return new AppError('invalid_request', `${field}: expected ${expected}, got ${JSON.stringify(value)}.`, {
    field,
    value,
  });
}
