import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '#src/commands/project/languages.ts';

const bin = join(import.meta.dirname, '../../bin');
const { oldNode, oldNodeNote } = await import(new URL('../../bin/project-node.mjs', import.meta.url).href);

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

test('an older Node is told in one sentence which is needed and how to get it, and a newer one nothing', () => {
  expect(oldNode('20.20.2')).toBe(
    'Workers and programs in TypeScript need Node 22.18 or newer, got Node 20.20.2: install a newer one from https://nodejs.org, or by a version manager (nvm install --lts), and then npm run worker.',
  );
  expect(oldNode('22.18.0')).toBe(null);
});

test('the scripts of a project in TypeScript look at the Node before they run it', () => {
  const { scripts } = languages.typescript;
  for (const name of ['worker', 'app']) expect([name, scripts[`pre${name}`]]).toEqual([name, 'proofline check-node']);
  const check = (version: string) => {
    const as = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
    const preload = `data:text/javascript,${encodeURIComponent(as)}`;
    const args = ['--import', preload, join(bin, 'proofline.mjs'), 'check-node'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  expect(check('20.20.2')).toEqual({ status: 1, stdout: '', stderr: `${oldNode('20.20.2')}\n` });
  expect(check('22.18.0')).toEqual({ status: 0, stdout: '', stderr: '' });
  // an older Node must be able to read it
  expect(readFileSync(join(bin, 'project-node.mjs'), 'utf8')).not.toMatch(/^import /m);
});
