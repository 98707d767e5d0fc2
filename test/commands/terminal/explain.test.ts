import { expect, test } from 'vitest';
import { explain } from '#src/commands/terminal/failure.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

test('a server that is not there is one sentence that names the settings, however deep the cause lies', () => {
  const deep = new Error('query failed', {
    cause: new Error('pool', { cause: failure('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1') }),
  });
  expect(explain(deep)).toMatch(
    /^Cannot start: connect ECONNREFUSED 127\.0\.0\.1:1 \(.*DATABASE_URL and REDIS_URL.*\)\.$/,
  );
  expect(explain(new AggregateError([failure('EADDRINUSE', 'listen EADDRINUSE')]))).toMatch(/PORT/);
});

test('a bug is told with its stack', () => {
  expect(explain(new TypeError('x is not a function'))).toMatch(/TypeError.*\n\s+at /);
});
