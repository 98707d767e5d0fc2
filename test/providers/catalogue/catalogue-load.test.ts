import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AppError } from '#src/lib/errors.ts';
import { loadCatalogue, providerOf } from '#src/providers/catalogue/catalogue-load.ts';
import { offer, provider } from '#test/providers/offers.ts';

const folder = mkdtempSync(join(tmpdir(), 'proofline-catalogue-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'providers.json');

function load(content: unknown) {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return loadCatalogue({ PROVIDERS_FILE: path });
}

function refusal(content: unknown): string {
  try {
    load(content);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('invalid_configuration');
    return (error as AppError).message;
  }
  throw new Error('expected a refusal');
}

test('without a file there is the local provider alone, and with one it comes first', () => {
  expect(loadCatalogue({ PROVIDERS_FILE: '' }).map(({ id }) => id)).toEqual(['local-animatic']);
  const catalogue = load({ providers: [provider(), provider({ id: 'two' })] });
  expect(catalogue.map(({ id }) => id)).toEqual(['local-animatic', 'one', 'two']);
  expect(providerOf(catalogue, 'two')).toEqual(provider({ id: 'two' }));
  expect(() => providerOf(catalogue, 'three')).toThrow('got "three"');
});

test.each([
  [
    'a key that is not known',
    { providers: [{ ...provider(), adress: 'x' }] },
    'providers[0].adress: expected a known key',
  ],
  [
    'a key that is not known, deep inside',
    {
      providers: [
        provider(),
        provider({ id: 'b', capabilities: { 'video.edit': { ...offer(), price: { perFrame: 1 } as never } } }),
      ],
    },
    'providers[1].capabilities["video.edit"].price.perFrame: expected a known key',
  ],
  [
    'a key that is missing',
    { providers: [{ ...provider(), title: undefined }] },
    'providers[0].title: expected a value, got nothing',
  ],
  [
    'a figure out of its range',
    { providers: [provider({ capabilities: { 'image.generate': offer({ quality: 1.5 }) } })] },
    'providers[0].capabilities["image.generate"].quality: expected a value that fits its schema (must be <= 1), got 1.5',
  ],
  [
    'a style that is none',
    { providers: [{ ...provider(), style: 'soap' }] },
    'providers[0].style: expected one of "local-animatic"',
  ],
  [
    'an id twice',
    { providers: [provider(), provider()] },
    'providers[1].id: expected an id that no other provider has, got "one"',
  ],
  [
    'the id of the local one',
    { providers: [provider({ id: 'local-animatic' })] },
    'providers[0].id: expected an id that no other',
  ],
  [
    'the style of the local one',
    { providers: [provider({ style: 'local-animatic' })] },
    'providers[0].style: expected a style of a provider outside',
  ],
  ['no address', { providers: [{ ...provider(), url: undefined }] }, 'providers[0].url: expected an https:// address'],
  [
    'an address that is not encrypted',
    { providers: [provider({ url: 'http://one.example' })] },
    'providers[0].url: expected an https:// address',
  ],
  [
    'a public address that is not encrypted',
    { providers: [provider({ url: 'http://93.184.216.34' })] },
    'providers[0].url:',
  ],
  ['an address with a key in it', { providers: [provider({ url: 'https://u:p@one.example' })] }, 'providers[0].url:'],
  [
    'a capability that its style has not',
    { providers: [provider({ style: 'openai-compatible', capabilities: { 'video.edit': offer() } })] },
    'providers[0].capabilities["video.edit"]: expected one of image.generate',
  ],
  [
    'no capability',
    { providers: [provider({ capabilities: {} })] },
    'providers[0].capabilities: expected at least one',
  ],
  [
    'a secret of webhooks where there is none',
    { providers: [provider({ style: 'fal-style', webhookSecret: 'SECRET' })] },
    'providers[0].webhookSecret: expected it for replicate-style alone',
  ],
  ['a name twice', '{"providers":[],"providers":[]}', '"providers": expected every name once'],
  ['no JSON', '{"providers":', 'expected JSON in'],
  ['something else', [], 'the file: expected a value of type object'],
])('error: %s is refused with its place in the file', (_what, content, message) => {
  expect(refusal(content)).toContain(message);
});

test('error: a file that is not there is named', () => {
  expect(() => loadCatalogue({ PROVIDERS_FILE: join(folder, 'none.json') })).toThrow(/none\.json, got ENOENT/);
});
