import { expect, test } from 'vitest';
import { emailOf, isOperator, mayEnter } from '#src/access/sessions/people.ts';
import { loadConfig } from '#src/system/config/config.ts';

test('addresses are compared in lower case, domains whole, and operators by address alone', () => {
  const config = loadConfig({ OIDC_ALLOWLIST: 'Ada@Example.com, @Logic.example', OIDC_OPERATORS: 'ada@example.COM' });
  const enters = (email: string) => mayEnter(config, emailOf(email) ?? 'none');
  expect(['ADA@example.com', 'anybody@LOGIC.example'].map(enters)).toEqual([true, true]);
  const others = [
    'bob@example.com',
    'ada@example.com.evil',
    'x@sub.logic.example',
    'x@evillogic.example',
    '@logic.example',
  ];
  expect(others.map(enters)).toEqual(others.map(() => false));
  expect([isOperator(config, 'ada@example.com'), isOperator(config, 'x@logic.example')]).toEqual([true, false]);
  expect(mayEnter(loadConfig({}), 'ada@example.com')).toBe(false);
});

test.each([
  '',
  'ada',
  'a@b@logic.example',
  '"a@x"@logic.example',
  '\u212Aelvin@logic.example',
  'a b@logic.example',
  7,
  null,
])('%j is no e-mail address to go by', (text) => {
  expect(emailOf(text)).toBeNull();
});

test('error: lists that are none, a provider without our name, and people over an open line are refused at the start', () => {
  expect(() => loadConfig({ OIDC_ALLOWLIST: 'ada' })).toThrow('OIDC_ALLOWLIST: expected e-mail addresses or domains');
  expect(() => loadConfig({ OIDC_OPERATORS: '@example.com' })).toThrow('OIDC_OPERATORS: expected e-mail addresses of');
  expect(() => loadConfig({ OIDC_ISSUER: 'https://id.example' })).toThrow('OIDC_CLIENT_ID: expected a name');
  const named = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'us' };
  expect(() => loadConfig({ ...named, PUBLIC_URL: 'http://studio.example' })).toThrow(
    'PUBLIC_URL: expected an address',
  );
  expect(loadConfig({ ...named, PUBLIC_URL: 'https://studio.example' }).OIDC_CLIENT_ID).toBe('us');
});
