import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertAnyScope, assertGrantable, assertOperator, assertScope } from '#src/access/keys/grants.ts';
import { AppError } from '#src/lib/errors.ts';
import { jobScopes, type Principal, scopes } from '#src/lib/principal.ts';

const principal = (more: Partial<Principal> = {}): Principal => ({
  owner: 'a',
  keyId: 'k',
  session: null,
  scopes: [],
  operator: false,
  human: null,
  tier: 'standard',
  ...more,
});

/** The scope that a refusal names; undefined when there is none. */
function refusalOf(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.details['scope'] : error;
  }
}

test('property: a grant passes exactly when every scope of it is held', () => {
  fc.assert(
    fc.property(fc.subarray([...scopes]), fc.subarray([...scopes]), (held, wanted) => {
      const missing = wanted.find((scope) => !held.includes(scope));
      expect(refusalOf(() => assertGrantable(principal({ scopes: held }), { scopes: wanted }))).toBe(missing);
    }),
  );
});

test('no key can grant the operator flag, or another human', () => {
  const operator = principal({ scopes, operator: true, human: 'h1' });
  expect(() => assertGrantable(operator, { scopes: [], operator: true })).toThrow('operator');
  expect(() => assertGrantable(operator, { scopes: [], human: 'h2' })).toThrow('another human');
  expect(() => assertGrantable(operator, { scopes: [...scopes], human: 'h1' })).not.toThrow();
});

test('property: where several scopes will do, a caller passes exactly when it holds one of them', () => {
  fc.assert(
    fc.property(fc.subarray([...scopes]), fc.subarray([...scopes]), (held, wanted) => {
      const run = () => assertAnyScope(principal({ scopes: held }), wanted);
      if (wanted.some((scope) => held.includes(scope))) expect(run).not.toThrow();
      else expect(run).toThrow('expected a key with one of the scopes');
    }),
  );
});

test('a missing scope is named', () => {
  expect(() => assertScope(principal({ scopes: ['studio.read'] }), 'studio.plan')).toThrow(
    'studio.plan, got one with studio.read',
  );
  expect(() => assertAnyScope(principal({ scopes: ['studio.read'] }), jobScopes)).toThrow(
    'one of the scopes jobs.submit, jobs.work, jobs.manage, got one with studio.read',
  );
  expect(() => assertOperator(principal())).toThrow('operator');
});
