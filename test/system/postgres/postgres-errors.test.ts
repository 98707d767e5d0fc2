import { expect, test } from 'vitest';
import { isConnectionLost, isDataError, sqlState } from '#src/system/postgres/postgres-errors.ts';

const failed = (message: string, more: object = {}) => Object.assign(new Error(message), more);

test('what a lost server, a way to it that is gone and a new primary answer is repeated', () => {
  const errors = [
    failed('write EPIPE', { code: 'EPIPE' }),
    failed('read ECONNRESET', { code: 'ECONNRESET' }),
    failed('connect EHOSTUNREACH 10.0.0.1:5432', { code: 'EHOSTUNREACH' }),
    failed('connect ENETUNREACH 10.0.0.1:5432', { code: 'ENETUNREACH' }),
    failed('getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND' }),
    failed('getaddrinfo EAI_AGAIN db', { code: 'EAI_AGAIN' }),
    failed('Query read timeout'),
    failed('timeout exceeded when trying to connect'),
    failed('Connection terminated unexpectedly'),
    failed('terminating connection due to administrator command', { code: '57P01' }),
    failed('cannot execute UPDATE in a read-only transaction', { code: '25006' }),
    failed('cached plan must not change result type', { code: '0A000', routine: 'RevalidateCachedQuery' }),
  ];
  expect(errors.filter((error) => !isConnectionLost(error))).toEqual([]);
  expect(errors.filter(isDataError)).toEqual([]);
});

test('what would fail again is not repeated', () => {
  const errors = [
    failed('unsupported XML feature', { code: '0A000', routine: 'xml_parse' }),
    failed('column "x" does not exist', { code: '42703' }),
    failed('value too long', { code: '22001' }),
    new TypeError('x is not a function'),
  ];
  expect(errors.filter(isConnectionLost)).toEqual([]);
});

test('the code of a socket is no SQLSTATE, also where it has five letters', () => {
  expect(sqlState(failed('write EPIPE', { code: 'EPIPE' }))).toBeUndefined();
  expect(sqlState(failed('internal', { cause: failed('internal', { code: 'XX000' }) }))).toBe('XX000');
});
