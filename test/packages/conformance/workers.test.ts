import { type CaseResult, runConformance } from '@proofline/worker-conformance';
import { expect, test } from 'vitest';
import { testFolder } from '#test/helpers/processes.ts';
import { python } from '#test/python/find-python.ts';
import { writeProgram } from './programs.ts';

const wrong = (results: readonly CaseResult[]) => results.filter(({ faults }) => faults.length > 0);
const patient = { patienceMs: 60_000, together: 3 };

test.each(['typescript', 'python'] as const)(
  'our worker in %s passes every case',
  { timeout: 400_000 },
  async (language) => {
    if (language === 'python' && python === undefined) return;
    using folder = testFolder();
    const results = await runConformance({ ...writeProgram(folder.path, language), ...patient });
    expect(wrong(results)).toEqual([]);
    expect(results.length).toBeGreaterThan(40);
  },
);

test('our worker passes every case over the WebSocket', { timeout: 400_000 }, async () => {
  using folder = testFolder();
  const program = writeProgram(folder.path, 'typescript', (text) =>
    text.replace("drain: '1s'", "drain: '1s', transport: 'websocket'"),
  );
  const results = await runConformance({ ...program, ...patient });
  expect(wrong(results)).toEqual([]);
  expect(results.length).toBeGreaterThan(40);
});

test('error: a worker over the WebSocket with another key is found', { timeout: 300_000 }, async () => {
  using folder = testFolder();
  const program = writeProgram(folder.path, 'typescript', (text) =>
    text.replace("drain: '1s'", "drain: '1s', transport: 'websocket', key: 'another'"),
  );
  const [first] = await runConformance({ ...program, patienceMs: 5_000, groups: ['ends'] });
  expect(first?.faults.length).toBeGreaterThan(0);
});

const broken: readonly (readonly [what: string, group: string, from: string, to: string, fault: RegExp])[] = [
  [
    'another code',
    'basics',
    "'told_to_fail'",
    "'told_otherwise'",
    /^error: expected .*told_to_fail.*, got .*told_otherwise/,
  ],
  [
    'a step that it never kept',
    'steps',
    'await step(name, () => ',
    'await Promise.resolve(',
    /^steps: expected \[\["one",0/,
  ],
  [
    'an effect made whatever is known',
    'effects',
    "effect(\n      'send',",
    'effect(\n      `send ${Math.random()}`,',
    /^result: expected/,
  ],
  [
    'a sleep that holds its process',
    'waits',
    "await nap('nap', payload.ms ?? 0);",
    '',
    /^end: expected "suspended", got "succeeded"/,
  ],
  ['a drain that is none', 'ends', "drain: '1s'", "drain: '1s', stopOn: []", /^exit code: expected 0, got null/],
];

test.each(broken)(
  'error: %s is found, and said in a sentence',
  { timeout: 300_000 },
  async (_what, group, from, to, fault) => {
    using folder = testFolder();
    const program = writeProgram(folder.path, 'typescript', (text) => text.replace(from, to));
    const results = await runConformance({ ...program, ...patient, groups: [group] });
    const faults = wrong(results).flatMap((one) => one.faults);
    expect(faults).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
  },
);

test('error: a program that ends at once, and a group that there is not', async () => {
  const [first] = await runConformance({
    command: [process.execPath, '-e', 'console.log("no worker"); process.exit(3)'],
    groups: ['ends'],
    ...patient,
  });
  expect(first?.faults).toEqual(['expected 1 requests to poll, but the program ended: no worker']);
  await expect(runConformance({ command: ['true'], groups: ['none'] })).rejects.toThrow(
    'expected one of the groups basics, trouble, steps, effects, waits, ends, got none.',
  );
});
