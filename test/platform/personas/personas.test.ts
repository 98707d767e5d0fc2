import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadPersonas } from '#src/platform/personas/personas.ts';

const folder = mkdtempSync(join(tmpdir(), 'proofline-personas-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'personas.json');

function load(content: unknown) {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return loadPersonas({ PERSONAS_FILE: path });
}
const ada = { id: 'ada', title: 'Ada', description: 'Explains machines', voice: 'nova', language: 'en-GB' };

test('without a file there is the narrator alone, and with one it comes first', () => {
  expect(loadPersonas({ PERSONAS_FILE: '' }).map(({ id }) => id)).toEqual(['narrator']);
  expect(load([ada]).slice(1)).toEqual([ada]);
  expect(load([ada])[0]?.id).toBe('narrator');
});

test.each([
  ['a key that is not known', [{ ...ada, face: 'x' }], '[0].face: expected a known key, got one that is not'],
  ['a key that is missing', [{ id: 'ada', title: 'Ada' }], '[0].description: expected a value, got nothing'],
  ['an id that is none', [{ ...ada, id: 'Ada L' }], '[0].id: expected a value that fits its schema'],
  ['an id twice', [ada, ada], '[1].id: expected an id that no other persona has, got "ada"'],
  ['the id of the narrator', [{ ...ada, id: 'narrator' }], '[0].id: expected an id that no other persona has'],
  ['a language that is none', [{ ...ada, language: 'English please' }], '[0].language: expected a value that fits'],
  ['a name twice', '[{"id":"a","id":"b"}]', '"id": expected every name once'],
  ['no JSON', '[', 'expected JSON in'],
  ['something else', { personas: [] }, 'the file: expected a value of type array'],
])('error: %s is refused with its place in the file', (_what, content, message) => {
  expect(() => load(content)).toThrow(message);
  expect(() => load(content)).toThrow('PERSONAS_FILE');
});

test('error: a file that is not there is named', () => {
  expect(() => loadPersonas({ PERSONAS_FILE: join(folder, 'none.json') })).toThrow(/none\.json, got ENOENT/);
});

test('the personas that docs/platform.md shows are some', () => {
  const page = readFileSync(new URL('../../../docs/platform.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```json\n(\[[^]*?)```/.exec(page) ?? [];
  expect(load(shown).map(({ id }) => id)).toEqual(['narrator', 'ada']);
});
