import ipaddr from 'ipaddr.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { type MediaCapability, mediaCapabilities } from '#queues/providers.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { readJsonFile, wrongField } from '#src/system/config/json-file.ts';
import { isPublic } from '#src/system/outside/outside.ts';
import { perContext } from '#src/system/per-context.ts';
import { type Price, Provider, type ProviderStyle } from './catalogue.ts';
import { localProvider } from './local-provider.ts';

/** Capabilities that a style can offer at all. */
const styleCapabilities: Readonly<Record<ProviderStyle, readonly MediaCapability[]>> = {
  'local-animatic': [],
  'openai-compatible': ['image.generate', 'image.edit', 'tts.synthesize', 'audio.transcribe', 'text.generate'],
  'replicate-style': mediaCapabilities,
  'fal-style': mediaCapabilities,
};

/**
 * Finds the fault of an entry that fits its schema: the field, and what was expected and came. Null where there is
 * none.
 */
function wrongProvider(provider: Provider): { field: string; problem: string } | null {
  const { style, url, capabilities, webhookSecret } = provider;
  if (style === 'local-animatic') {
    return {
      field: '.style',
      problem: 'expected a style of a provider outside (the local one is always there), got "local-animatic"',
    };
  }
  if (url === undefined || !isSafe(url)) {
    const wanted = 'an https:// address (or http:// and a private IP address) without user, query or fragment';
    return { field: '.url', problem: `expected ${wanted}, got ${url === undefined ? 'nothing' : JSON.stringify(url)}` };
  }
  if (webhookSecret !== undefined && style !== 'replicate-style') {
    return { field: '.webhookSecret', problem: `expected it for replicate-style alone, got it for ${style}` };
  }
  const names = Object.keys(capabilities) as MediaCapability[];
  const [first] = names;
  if (first === undefined) return { field: '.capabilities', problem: 'expected at least one capability, got none' };
  const foreign = names.find((name) => !styleCapabilities[style].includes(name));
  const cached = names.find((name) => hasCachedPriceAlone(capabilities[name]?.price));
  if (foreign === undefined && cached !== undefined) {
    const problem = 'expected perMillionInput beside perMillionCachedInput, got the latter alone';
    return { field: `.capabilities["${cached}"].price`, problem };
  }
  if (foreign === undefined) return null;
  return {
    field: `.capabilities["${foreign}"]`,
    problem: `expected one of ${styleCapabilities[style].join(', ')} for ${style}, got ${foreign}`,
  };
}

/** Cached tokens are some of the input, which needs a price of its own then. */
function hasCachedPriceAlone({ perMillionCachedInput, perMillionInput }: Price = {}): boolean {
  return perMillionCachedInput !== undefined && perMillionInput === undefined;
}

/** Checks whether a key may be sent there: encrypted, or inside the operator's own network by its very address. */
function isSafe(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username || url.password || url.search || url.hash) return false;
  if (url.protocol === 'https:') return true;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return url.protocol === 'http:' && ipaddr.isValid(host) && !isPublic(host);
}

const File = Compile(
  Type.Object({ providers: Type.Array(Provider, { maxItems: 200 }) }, { additionalProperties: false }),
);

/** The providers of this process: the local one first, then those of `PROVIDERS_FILE` in its order. Read once. */
export const catalogueOf = perContext(({ config }): readonly Provider[] => loadCatalogue(config));

/**
 * @throws AppError `invalid_configuration` with one sentence: the file, the field in it, what was expected and came.
 */
export function loadCatalogue({ PROVIDERS_FILE: path }: Pick<Config, 'PROVIDERS_FILE'>): readonly Provider[] {
  if (path === '') return [localProvider];
  const { providers } = readJsonFile('PROVIDERS_FILE', path, File);
  const ids = [localProvider, ...providers].map(({ id }) => id);
  for (const [index, provider] of providers.entries()) {
    const field = `providers[${index}]`;
    if (ids.indexOf(provider.id) !== index + 1) {
      throw wrong(path, `${field}.id`, `expected an id that no other provider has, got ${JSON.stringify(provider.id)}`);
    }
    const found = wrongProvider(provider);
    if (found) throw wrong(path, `${field}${found.field}`, found.problem);
  }
  return Object.freeze([localProvider, ...providers]);
}

/** The provider of this id. @throws AppError `not_found` */
export function providerOf(catalogue: readonly Provider[], id: string): Provider {
  const provider = catalogue.find((one) => one.id === id);
  if (provider) return provider;
  throw new AppError('not_found', `expected the id of a provider in the catalogue, got ${JSON.stringify(id)}.`);
}

function wrong(path: string, field: string, problem: string): AppError {
  return wrongField('PROVIDERS_FILE', path, field, problem);
}
