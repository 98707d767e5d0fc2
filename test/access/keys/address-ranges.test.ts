import { expect, test } from 'vitest';
import { addressBlock, isAllowed, isWithin, normaliseRange } from '#src/access/keys/address-ranges.ts';

test('ranges are stored in one form; an IPv4 range in IPv6 clothes is an IPv4 range', () => {
  expect(normaliseRange('10.0.0.0/8')).toBe('10.0.0.0/8');
  expect(normaliseRange('10.1.2.3')).toBe('10.1.2.3/32');
  expect(normaliseRange('::ffff:10.0.0.0/104')).toBe('10.0.0.0/8');
  expect(normaliseRange('2001:db8::/32')).toBe('2001:db8::/32');
  expect(normaliseRange('2001:DB8:0:0::1')).toBe('2001:db8::1/128');
});

test('error: what is no range is refused with the text', () => {
  for (const text of ['', 'localhost', '10.0.0.0/33', '10.0.0.0/x', '1', '127.1', '::ffff:10.0.0.0/95', '::1/129']) {
    expect(() => normaliseRange(text)).toThrow(`got ${JSON.stringify(text)}`);
  }
});

test('an address is compared in its plain form', () => {
  const ranges = ['10.0.0.0/8', '2001:db8::/32'];
  expect(isAllowed('10.255.0.1', ranges)).toBe(true);
  expect(isAllowed('::ffff:10.255.0.1', ranges)).toBe(true);
  expect(isAllowed('11.0.0.1', ranges)).toBe(false);
  expect(isAllowed('2001:db8::7', ranges)).toBe(true);
  expect(isAllowed('2001:db9::7', ranges)).toBe(false);
  expect(isAllowed('no address', ranges)).toBe(false);
  expect(isAllowed('no address', [])).toBe(true);
});

test('callers are counted by IPv4 address and by /64 of IPv6', () => {
  expect(['10.0.0.1', '::ffff:10.0.0.1', '2001:db8:1:2:3::4', '2001:db8:1:2::', 'nowhere'].map(addressBlock)).toEqual([
    '10.0.0.1',
    '10.0.0.1',
    '2001:db8:1:2::/64',
    '2001:db8:1:2::/64',
    'nowhere',
  ]);
});

test('a range lies within others when one of them holds all of it', () => {
  const ranges = ['10.0.0.0/8', '192.168.1.1/32', '2001:db8::/32'];
  for (const inner of ['10.0.0.0/8', '10.9.0.0/16', '192.168.1.1/32', '2001:db8:1::/48'])
    expect(isWithin(inner, ranges)).toBe(true);
  for (const outer of ['10.0.0.0/7', '0.0.0.0/0', '192.168.1.0/24', '2001::/16', '::/0', '11.0.0.0/8'])
    expect(isWithin(outer, ranges)).toBe(false);
  expect(isWithin('0.0.0.0/0', [])).toBe(true);
});
