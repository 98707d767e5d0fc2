import { expect, test } from 'vitest';

const { oldNodeNote } = await import(new URL('../../bin/project-node.mjs', import.meta.url).href);

test.each([
  ['20.11.1', 'init'],
  ['22.17.9', 'up'],
  ['18.20.0', 'new'],
])('a person with Node %s hears before %s that programs of a project need a newer one', (version, command) => {
  expect(oldNodeNote(version, command)).toMatch(new RegExp(`need Node 22\\.18 or newer, got Node ${version}`));
});

test.each([
  ['22.18.0', 'init'],
  ['26.1.0', 'up'],
  ['20.11.1', 'jobs'],
  ['20.11.1', undefined],
])('a person with Node %s hears nothing before %s', (version, command) => {
  expect(oldNodeNote(version, command)).toBe(null);
});
