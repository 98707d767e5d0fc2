import { expect, test } from 'vitest';
import { type ReadItem, readBulk } from '#src/http/queues/read-bulk.ts';

const job = (more: string) => `{"queue": "acme.a-b", "payload": ${more}}`;
const items = ['1', '{"n": 12345678901234567890}', '["],[", "\\"", {"a": [1, 2]}]', '{"__proto__": 1}', '1e400'].map(
  job,
);
const answers = (read: readonly ReadItem[]) =>
  read.map((one) => ('error' in one ? one.error.code : JSON.stringify(one.item.payload)));

test.each([
  ['a line', items.join('\n'), 'application/x-ndjson'],
  ['an item of an array', `\n[ ${items.join(' ,\n')}\n]`, 'application/json'],
])('%s that cannot be taken is refused alone', (_what, text, type) => {
  const read = readBulk(Buffer.from(text), type);
  expect(answers(read)).toEqual([
    '1',
    'invalid_request',
    '["],[","\\"",{"a":[1,2]}]',
    'malformed_body',
    'invalid_request',
  ]);
});

test.each(['x', '\\"', '\\\\'])('a long text beside one that cannot be taken is read to its end: %s', (part) => {
  const text = `[${job(`"${part.repeat(100_000)}"`)}, ${job('1e400')}]`;
  expect(answers(readBulk(Buffer.from(text), 'application/json'))).toEqual([expect.any(String), 'invalid_request']);
});

test('error: an array of too many jobs is refused, whatever is in them', () => {
  const text = `[${Array(10_001).fill(job('1e400')).join()}]`;
  expect(() => readBulk(Buffer.from(text), 'application/json')).toThrow('expected 1 to 10000 jobs, got 10001');
});

test('error: an array that is no JSON, nothing else or empty is refused whole', () => {
  const read = (text: string) => () => readBulk(Buffer.from(text), 'application/json');
  expect(read(`[${job('1')}, {"queue": 12345678901234567890}`)).toThrow('not JSON');
  expect(read(`{"a": 12345678901234567890}`)).toThrow('holds exactly');
  expect(read('{}')).toThrow('an array of jobs');
  expect(read(' [ ] ')).toThrow('got 0');
});

test.each([
  [{ delay: '30x' }, '/delay', 'body.delay: expected text like'],
  [{ more: 1 }, '/more', 'body.more: expected no such property, got a number.'],
  [{ priority: '3' }, '/priority', 'body.priority: expected integer, got "3".'],
  [{ payload: undefined }, '/payload', 'body.payload: expected a value, got nothing.'],
])('error: a job with %j is told with its place, what was expected and what came', (more, path, sentence) => {
  const line = JSON.stringify({ queue: 'acme.a-b', payload: 1, ...more });
  const [read] = readBulk(Buffer.from(line), 'application/x-ndjson');
  expect(read).toMatchObject({ error: { details: { path }, message: expect.stringContaining(sentence) } });
});
