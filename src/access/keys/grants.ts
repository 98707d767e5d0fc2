import { AppError } from '#src/lib/errors.ts';
import type { Principal, Scope } from '#src/lib/principal.ts';

/** Rights that a grantor wants to hand on in a new key. */
export interface Grant {
  readonly scopes: readonly Scope[];
  readonly operator?: boolean;
  readonly human?: string | null;
}

/**
 * A key can never grant what it does not hold: not a scope, not the operator flag (which no key can grant at all), not
 * another human.
 *
 * @throws AppError `forbidden` naming the first thing that is not the grantor's to give.
 */
export function assertGrantable(grantor: Principal, grant: Grant): void {
  const scope = grant.scopes.find((one) => !grantor.scopes.includes(one));
  if (scope)
    throw new AppError(
      'forbidden',
      `expected a grant within your own scopes, got ${scope}, which your key does not hold.`,
      { scope, reason: 'more_than_yours' },
    );
  if (grant.operator)
    throw new AppError(
      'forbidden',
      'expected a key without the operator flag, got one with it; only the command line makes those.',
      { reason: 'more_than_yours' },
    );
  if (grant.human && grant.human !== grantor.human) {
    throw new AppError(
      'forbidden',
      'expected a key bound to yourself or to no human, got one bound to another human.',
      {
        reason: 'more_than_yours',
      },
    );
  }
}

/** @throws AppError `forbidden` naming the scope that is missing. */
export function assertScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  throw new AppError(
    'forbidden',
    `expected a key with scope ${scope}, got one with ${principal.scopes.join(', ') || 'none'}.`,
    { scope, reason: 'scope' },
  );
}

/** @throws AppError `forbidden` naming the scopes of which the principal holds none. */
export function assertAnyScope(principal: Principal, wanted: readonly Scope[]): void {
  if (wanted.some((scope) => principal.scopes.includes(scope))) return;
  throw new AppError(
    'forbidden',
    `expected a key with one of the scopes ${wanted.join(', ')}, got one with ${principal.scopes.join(', ') || 'none'}.`,
    { scopes: [...wanted], reason: 'scope' },
  );
}

/** @throws AppError `forbidden` unless the principal is an operator. */
export function assertOperator(principal: Principal): void {
  if (!principal.operator)
    throw new AppError('forbidden', 'expected a key of an operator, got one without that flag.', {
      operator: false,
      reason: 'operator',
    });
}

/**
 * @throws AppError `human_required` unless the principal's key is bound to a verified human; answers that human's id.
 */
export function assertHuman({ human }: Principal): string {
  if (human) return human;
  throw new AppError(
    'human_required',
    'expected a key that is bound to a verified human, got one that is not. Mint one with a proof of personhood: POST /api/v1/keys.',
    { reason: 'human' },
  );
}
