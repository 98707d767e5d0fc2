import { expect, test } from 'vitest';
import type { ContractBody } from '#src/jobs/registry/contract-body.ts';
import { contractNarrowing } from '#src/jobs/registry/contract-narrowing.ts';
import { contractFault } from '#src/jobs/registry/queue-contract.ts';
import { beginComparison, MOST_STEPS } from '#src/jobs/registry/schema/comparison.ts';
import { narrowing } from '#src/jobs/registry/schema/compatible.ts';

const contract = (payload: object, result: object = {}): ContractBody => ({
  title: 'A contract',
  payload: payload as never,
  result: result as never,
});
const times = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));
const named = <T>(length: number, make: (index: number) => T) =>
  Object.fromEntries(times(length, (index) => [`k${index}`, make(index)]));
const nested = (depth: number, wrap: (inner: object) => object, inner: object = {}): object =>
  depth === 0 ? inner : nested(depth - 1, wrap, wrap(inner));

const patterns = ['[a-z]', '[a-y]', '[a-x]', '[a-w]'].map((letters) => ({ pattern: `(?:${letters}?){1000}[A-Z]` }));
const texts = times(1_000, (index) => `${'a'.repeat(16)}${String(index).padStart(4, '0')}`);

const expensive: readonly (readonly [string, object, object])[] = [
  ['values that patterns look at', { enum: texts, anyOf: patterns }, { enum: ['q'], anyOf: patterns }],
  [
    'values at every level of a deep schema',
    nested(30, (a) => ({ type: 'object', properties: { a }, enum: [1] })),
    nested(30, (a) => ({ type: 'object', properties: { a }, enum: [2] })),
  ],
  [
    'each of many names with many others',
    { properties: named(2_000, () => true) },
    { additionalProperties: { properties: named(2_000, () => true) } },
  ],
  [
    'values that are gone in many places',
    { properties: named(290, () => ({ type: 'string', enum: ['a', ...times(19, (index) => index)] })) },
    { properties: named(290, () => ({ type: 'string', enum: ['a'] })) },
  ],
];

test.each(expensive)(
  'error: a change that compares %s is refused at the place where its steps end',
  (_what, earlier, later) => {
    const [before, after] = [contract(earlier), contract(later)];
    expect(contractFault(before)).toBeNull();
    expect(contractFault(after)).toBeNull();
    const fault = contractNarrowing(before, after);
    expect(fault).toMatchObject({ isUndecided: true, path: expect.stringMatching(/^\/payload\//) });
    expect(fault?.message).toContain(`${MOST_STEPS} steps`);
  },
);

test('all comparisons of a change take their steps from one and the same number', () => {
  const comparison = beginComparison();
  for (const [, earlier, later] of expensive) narrowing(earlier as never, later as never, '', comparison);
  // the last step may take more than there is left, by what one part of a schema has
  expect(comparison.left).toBeLessThanOrEqual(0);
  expect(narrowing({ type: 'string' }, { type: ['string', 'null'] }, '/a', comparison)).toMatchObject({
    path: '/a',
    isUndecided: true,
  });
});

test('a result that is compared after an expensive payload is refused as undecided, and alone is taken', () => {
  const wide = (more: object) => ({ properties: named(5_000, () => true), ...more });
  const [before, after] = [wide({ minimum: 2 }), wide({ minimum: 1 })];
  expect(contractNarrowing(contract({}, before), contract({}, after))).toBeNull();
});
