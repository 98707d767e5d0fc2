import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import type { ContractBody } from '#src/jobs/registry/contract-body.ts';
import { contractFault } from '#src/jobs/registry/queue-contract.ts';
import { compiledPattern, patternBounds, patternCost } from '#src/jobs/registry/schema/patterns.ts';

const contract = (schema: object): ContractBody => ({
  title: 'A contract',
  payload: schema as never,
  result: schema as never,
  progress: schema as never,
});
const times = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));
const patterns = (count: number, make: (index: number) => string) => ({
  patternProperties: Object.fromEntries(times(count, (index) => [make(index), {}])),
});

test.each([
  ['classes of Unicode that ignore case', patterns(20, (index) => `(?i)${'\\PL'.repeat(160)}${index}`)],
  ['the same in brackets', patterns(20, (index) => `(?i)[${'\\PL'.repeat(160)}${index}]`)],
  ['the same by a group', patterns(20, (index) => `(?s-m:(?i:${'\\pL'.repeat(150)}))${index}`)],
  ['ranges that ignore case', patterns(20, (index) => `(?i)[${'b-\u{1e900}'.repeat(90)}]${index}`)],
  ['ranges by number that ignore case', patterns(20, (index) => `(?i)${'[b-\\x{1e900}]'.repeat(30)}${index}`)],
  ['long repeats', patterns(20, (index) => `${'a{990}'.repeat(80)}${index}`)],
  ['repeats of repeats', patterns(20, (index) => `${'(?:(?:a{9}b){10}c?){10,}'.repeat(15)}${index}`)],
  ['a repeat after a quotation', patterns(20, (index) => `${'\\Q(\\E{1000}'.repeat(40)}${index}`)],
])('error: a contract with %s is refused with the place', (_what, schema) => {
  expect(contractFault(contract(schema))).toMatchObject({
    path: expect.stringMatching(/^\/payload\/patternProperties\//),
    message: expect.stringContaining('units of work'),
  });
});

test('error: patterns that are cheap one by one are counted together, over all schemas of a contract', () => {
  const payload = patterns(3, (index) => `${'a{990}'.repeat(4)}${index}`);
  const result = patterns(3, (index) => `${'b{990}'.repeat(4)}${index}`);
  const body = { ...contract(payload), progress: payload };
  expect(contractFault(body)).toBeNull();
  expect(contractFault({ ...body, result })?.path).toMatch(/^\/result\//);
});

test.each([
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  "^[\\p{L}\\p{N} .,'-]{1,200}$",
  '(?i)^[a-z0-9À-ž]{1,63}(?:\\.[a-z0-9]{1,63}){0,10}$',
  '^\\+?[0-9 ()-]{5,30}$',
  '^.{1,1000}$',
])('a pattern as people write it is taken: %s', (pattern) => {
  expect(patternCost(pattern)).toBeLessThan(patternBounds.one);
  expect(contractFault(contract({ pattern }))).toBeNull();
});

const atom = fc.constantFrom(
  'a',
  '.',
  '\\d',
  '\\pL',
  '[a-z]',
  '[^]x]',
  '[[:alpha:]-]',
  '\\x{41}',
  '\\Qa)\\E',
  '{',
  '\\(',
);
const expression = fc.letrec<{ expression: string }>((tie) => {
  const one = tie('expression');
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      atom,
      fc.tuple(one, one).map((two) => two.join('')),
      fc.tuple(one, one).map((two) => `(?:${two.join('|')})`),
      one.map((inner) => `(${inner})`),
      one.map((inner) => `(?P<name>${inner})?`),
      one.map((inner) => `(?s:${inner})*`),
      fc.tuple(one, fc.integer({ min: 0, max: 9 })).map(([inner, most]) => `(?:${inner}){0,${most}}`),
      fc.tuple(one, fc.integer({ min: 0, max: 9 })).map(([inner, least]) => `(?:${inner}){${least},}?`),
    ),
  };
}).expression;

test('the count of a pattern is no less than the program that it becomes', () => {
  let counted = 0;
  fc.assert(
    fc.property(expression, (pattern) => {
      let size: number;
      try {
        size = RE2JS.compile(pattern).programSize();
      } catch {
        return;
      }
      counted++;
      expect(patternCost(pattern)).toBeGreaterThanOrEqual(size);
    }),
    { numRuns: 500 },
  );
  expect(counted).toBeGreaterThan(200);
});

test('a pattern is compiled once', () => {
  expect(compiledPattern('^once$')).toBe(compiledPattern('^once$'));
});
