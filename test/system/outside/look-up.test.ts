import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, test } from 'vitest';
import { lookUpPublic } from '#src/system/outside/outside.ts';

/** Answers of a name server, one for each question. */
const answers: LookupAddress[][] = [];
const real = dns.lookup;
const fake = (_name: string, _options: object, callback: (error: Error | null, found: LookupAddress[]) => void) =>
  callback(null, answers.shift() ?? []);
dns.lookup = fake as typeof dns.lookup;
syncBuiltinESMExports();
afterAll(() => {
  dns.lookup = real;
  syncBuiltinESMExports();
});

const found = async (all = true) =>
  await new Promise<unknown>((resolve) =>
    lookUpPublic('rebind.example', { all }, (error, address) => resolve(error ?? address)),
  );
const at = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

test('a name is looked up for each connection: one that has changed its mind is refused then', async () => {
  answers.push(at('93.184.216.34'), at('127.0.0.1'));
  expect(await found()).toEqual(at('93.184.216.34'));
  expect(await found()).toMatchObject({ code: 'forbidden', details: { reason: 'private_address' } });
});

test('a name with one private address among public ones is refused, whichever would be taken', async () => {
  for (const hidden of [
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    'fd00::1',
    '64:ff9b::7f00:1',
    '0.0.0.0',
  ])
    for (const order of [at('93.184.216.34', hidden), at(hidden, '93.184.216.34')]) {
      answers.push(order);
      expect([hidden, await found()]).toEqual([hidden, expect.objectContaining({ code: 'forbidden' })]);
    }
  answers.push(at('93.184.216.34', '2606:2800:220:1::1'));
  expect(await found(false)).toBe('93.184.216.34');
});
