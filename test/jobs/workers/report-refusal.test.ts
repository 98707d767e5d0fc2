import { expect, test } from 'vitest';
import { reportRefusal } from '#src/jobs/workers/report-refusal.ts';

const fence = {
  job: '8a8b1f0e-5b0c-4a4e-9a53-0a1b2c3d4e5f',
  attempt: 1,
  token: '8a8b1f0e-5b0c-4a4e-9a53-0a1b2c3d4e60',
};

test('a report that fits has no refusal', () => {
  expect(reportRefusal({ ...fence, type: 'progress', data: 1 })).toBeNull();
});

test.each([
  ['a member that is missing', { type: 'log', level: 'info' }, '/message'],
  ['a member whose name has a dot and a slash', { type: 'progress', data: 1, 'a.b/c[0]': 1 }, '/a.b~1c[0]'],
  ['a value of another type', { type: 'log', level: 'info', message: 7 }, '/message'],
])('error: %s is refused with its JSON pointer', (_what, report, path) => {
  expect(reportRefusal({ ...fence, ...report })).toMatchObject({ status: 'refused', code: 'invalid_request', path });
});

test('error: a report that is nested too deep is refused as a whole', () => {
  const data = JSON.parse('['.repeat(200) + ']'.repeat(200));
  expect(reportRefusal({ ...fence, type: 'progress', data })).toEqual({
    status: 'refused',
    code: 'invalid_request',
    message: 'report: expected JSON of at most 100 levels of objects and lists, got a deeper one.',
    path: '',
  });
});
