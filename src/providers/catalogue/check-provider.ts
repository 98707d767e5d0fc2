import ipaddr from 'ipaddr.js';
import { type MediaCapability, mediaCapabilities } from '#queues/providers.ts';
import { isPublic } from '#src/system/outside/outside.ts';
import type { Price, Provider, ProviderStyle } from './catalogue.ts';

/** What a style can be asked for at all. */
const styleCapabilities: Readonly<Record<ProviderStyle, readonly MediaCapability[]>> = {
  'local-animatic': [],
  'openai-compatible': ['image.generate', 'image.edit', 'tts.synthesize', 'audio.transcribe', 'text.generate'],
  'replicate-style': mediaCapabilities,
  'fal-style': mediaCapabilities,
};

/** What is wrong with an entry that fits its schema: the field, and what was expected and came. Null where nothing is. */
export function wrongProvider(provider: Provider): { field: string; problem: string } | null {
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

/** Whether a key may be sent there: encrypted, or inside the operator's own network by its very address. */
function isSafe(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username || url.password || url.search || url.hash) return false;
  if (url.protocol === 'https:') return true;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return url.protocol === 'http:' && ipaddr.isValid(host) && !isPublic(host);
}
