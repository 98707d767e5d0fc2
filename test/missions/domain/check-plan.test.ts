import fc from 'fast-check';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { type CheckedStep, checkPlan, inputFaults, resolvedFaults } from '#src/missions/domain/check-plan.ts';
import { isLonger, resolveReferences } from '#src/missions/domain/references.ts';

const strict = { additionalProperties: false };
const capabilities = new Map(
  [
    { name: 'read', title: 'Read', input: Type.Object({ url: Type.String() }, strict) },
    {
      name: 'tell',
      title: 'Tell',
      input: Type.Object({ n: Type.Integer(), more: Type.Optional(Type.Unknown()) }, strict),
    },
  ].map((one) => [one.name, one]),
);
const read = (id: string, more: Partial<CheckedStep> = {}): CheckedStep => ({
  id,
  capability: 'read',
  input: { url: 'x' },
  ...more,
});

test('steps come in an order in which they can run, each with what it refers to', () => {
  const tell = { id: 'b', capability: 'tell', input: { n: { $from: 'a', path: 'x.0' }, more: [{ $from: 'c' }] } };
  const checked = checkPlan([tell, read('c', { dependsOn: ['a'] }), read('a')], capabilities);
  expect(checked).toMatchObject({
    steps: [
      { id: 'a', dependsOn: [] },
      { id: 'c', dependsOn: ['a'] },
      { id: 'b', dependsOn: ['a', 'c'] },
    ],
  });
});

test.each<[string, readonly CheckedStep[], string]>([
  ['no step', [], 'expected at least one step, got none'],
  ['51 steps', Array.from({ length: 51 }, (_, n) => read(`s${n}`)), 'expected at most 50 steps, got 51'],
  ['a name twice', [read('a'), read('a')], 'a: expected a name of its own for each step, got this one twice'],
  ['a missing step', [read('a', { dependsOn: ['z'] })], 'a: depends on "z", which is no step of this plan'],
  [
    'itself',
    [read('a', { dependsOn: ['a'] })],
    'expected steps that can run one after the other, got some that wait for each other',
  ],
  [
    'a circle',
    [read('a', { dependsOn: ['b'] }), read('b', { dependsOn: ['a'] })],
    'expected steps that can run one after the other, got some that wait for each other',
  ],
  ['an unknown capability', [read('a', { capability: 'fly' })], 'a: expected a capability of the catalogue, got "fly"'],
  ['a wrong input', [read('a', { input: { url: 1 } })], 'a: input/url must be string'],
  ['an added member', [read('a', { input: { url: 'x', b: 1 } })], 'a: input must not have additional properties (b)'],
])('error: %s', (_what, steps, fault) => {
  expect(checkPlan(steps, capabilities)).toEqual({ faults: [fault] });
});

test('a reference may stand for any member, and not for a member that is none', () => {
  const step = (input: Record<string, unknown>) => inputFaults({ id: 't', capability: 'tell', input }, capabilities);
  expect(step({ n: { $from: 'a' } })).toEqual([]);
  expect(step({ n: { $from: 'a', other: 1 } })).toEqual(['t: input/n must be integer']);
  expect(step({ x: { $from: 'a' } })).not.toEqual([]);
});

test('a reference is replaced by what it stands for', () => {
  const outputs = { a: { list: [{ v: 1 }], none: null }, b: 'text' };
  const resolve = (input: unknown) => resolveReferences(input, outputs);
  expect(resolve({ x: [{ $from: 'a', path: 'list.0.v' }, 'c'], y: { $from: 'b' } })).toEqual({
    value: { x: [1, 'c'], y: 'text' },
  });
  expect(resolve({ $from: 'a', path: 'none' })).toEqual({ value: null });
  expect(resolve({ x: { $from: 'a', path: 'list.1' } })).toEqual({ missing: { $from: 'a', path: 'list.1' } });
  expect(resolve({ $from: 'a', path: 'constructor' })).toMatchObject({ missing: {} });
  expect(resolve({ $from: 'z' })).toMatchObject({ missing: {} });
});

test('any graph is put in order, or said to wait for itself', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const graph = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 8 });
  fc.assert(
    fc.property(graph, (edges) => {
      const steps = names.map((id) =>
        read(id, { dependsOn: edges.filter(([to]) => to === id).map(([, from]) => from) }),
      );
      const checked = checkPlan(steps, capabilities);
      if ('faults' in checked) {
        // what is left after taking away every step that waits for nobody waits for itself
        let left = [...steps];
        for (let size = -1; size !== left.length; ) {
          size = left.length;
          left = left.filter(({ dependsOn = [] }) => dependsOn.some((need) => left.some(({ id }) => id === need)));
        }
        expect(left.length).toBeGreaterThan(0);
        return;
      }
      const places = new Map(checked.steps.map(({ id }, place) => [id, place]));
      for (const [to, from] of edges) expect(places.get(from)).toBeLessThan(places.get(to) ?? -1);
    }),
  );
});

test('what an output brought along is no reference, whatever it looks like', () => {
  const faults = resolvedFaults({ id: 't', capability: 'tell', input: { n: { $from: 'a' } } }, capabilities);
  expect(faults).toEqual(['t: input/n must be integer']);
});

test('a value is too long before anybody writes it out', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { length } = JSON.stringify(value);
      expect(isLonger(value, length)).toBe(false);
    }),
  );
  expect(
    isLonger({ name: ['text', 12, null, true] }, JSON.stringify({ name: ['text', 12, null, true] }).length - 1),
  ).toBe(true);
  const output = 'x'.repeat(1_000_000);
  // 10^11 characters as text, which no process could hold
  expect(
    isLonger(
      Array.from({ length: 100_000 }, () => output),
      512_000,
    ),
  ).toBe(true);
});
