import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { AppError } from '#src/lib/errors.ts';
import { endedCall } from '#src/providers/calls/call-ends.ts';
import type { Produced, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { callTimeoutMs } from '#src/providers/catalogue/catalogue.ts';
import { callOutside, isPublic, type OutsideAnswer } from '#src/system/outside/outside.ts';
import { readMediaFile } from './media-file.ts';
import { authorizationOf, unanswered } from './vendor-http.ts';

/** Longest file that is fetched, longest time for one, how many of a call, and how often each is tried. */
export const outputLimits = { bytes: 268_435_456, ms: 180_000, files: 64, tries: 3 } as const;

/**
 * Fetches the results from the addresses (`https:`, of the provider's own origin, or `data:`) under which a provider
 * has put them.
 */
export async function fetchOutputs(call: ProviderCall, urls: readonly string[]): Promise<readonly Produced[]> {
  const wanted = kindOf(call);
  if (urls.length > outputLimits.files) {
    throw failed(call, `expected at most ${outputLimits.files} files from ${call.provider.id}, got ${urls.length}.`);
  }
  const files: Uint8Array[] = [];
  for (const [index, url] of urls.entries()) {
    call.progress('fetching', index / urls.length);
    // one after the other: each may be large
    files.push(url.startsWith('data:') ? decoded(call, url) : await fetchFile(call, url));
  }
  const produced = producedOf(call, files);
  if (produced.some(({ kind }) => kind === wanted)) return produced;
  throw failed(call, `expected ${wanted} from ${call.provider.id}, got ${produced[0]?.kind ?? 'nothing'}.`);
}

/** Files by what their bytes are, with names that are the same at every try. @throws AppError `provider_failed` */
export function producedOf(call: ProviderCall, files: readonly Uint8Array[]): readonly Produced[] {
  const counts = new Map<string, number>();
  return files.map((bytes) => {
    const media = readMediaFile(bytes);
    if (typeof media === 'string') throw failed(call, `expected a whole file from ${call.provider.id}, got ${media}.`);
    const count = (counts.get(media.kind) ?? 0) + 1;
    counts.set(media.kind, count);
    return { ...media, name: count === 1 ? media.kind : `${media.kind}-${count}`, bytes };
  });
}

/** Returns the kind of asset that a capability makes. */
export function kindOf({ capability }: Pick<ProviderCall, 'capability'>): 'image' | 'video' | 'audio' | 'text' {
  if (capability.startsWith('image.')) return 'image';
  if (capability === 'tts.synthesize' || capability === 'music.generate') return 'audio';
  return capability === 'text.generate' || capability === 'audio.transcribe' ? 'text' : 'video';
}

async function fetchFile(call: ProviderCall, text: string): Promise<Uint8Array> {
  const { provider, signal } = call;
  const { origin, isOwn } = allowedOrigin(call, text);
  const timeoutMs = Math.min(outputLimits.ms, callTimeoutMs(provider));
  for (let tries = 1; ; tries++) {
    try {
      const answer = await callOutside({
        url: text,
        origins: [origin],
        method: 'GET',
        // the key goes to the provider alone
        headers: isOwn ? authorizationOf(provider) : {},
        mostBytes: outputLimits.bytes,
        timeoutMs,
        signal,
      });
      return fileOf(call, answer);
    } catch (error) {
      signal.throwIfAborted();
      // it was made and paid for: a second look at its file costs nothing
      const isFinal = error instanceof AppError && (error.code === 'payload_too_large' || error.code === 'forbidden');
      if (isFinal || tries === outputLimits.tries) throw asFailure(call, error, timeoutMs);
      await sleep(100 * 2 ** tries, undefined, { signal });
    }
  }
}

/** As fetchFile's failures come after the work was done, none of them says that nothing is owed. */
function asFailure({ provider }: ProviderCall, error: unknown, timeoutMs: number): AppError {
  const { message, details } = unanswered(provider, error, timeoutMs);
  return new AppError('provider_failed', message, details, error);
}

function fileOf(call: ProviderCall, { status, headers, contentType, body }: OutsideAnswer): Uint8Array {
  if (status !== 200) throw failed(call, `expected a file of ${call.provider.id}, got the status ${status}.`);
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity')
    throw failed(call, `expected a file of ${call.provider.id} as it is, got one in ${coding.slice(0, 40)}.`);
  if (/^(text\/html|application\/([\w.+-]+\+)?json)\b/i.test(contentType ?? '')) {
    throw failed(call, `expected a file of ${call.provider.id}, got content of type ${contentType}.`);
  }
  return body;
}

/** https, or the provider's own origin; never an address inside, by name or number. */
function allowedOrigin(call: ProviderCall, text: string): { origin: string; isOwn: boolean } {
  const url = URL.parse(text);
  const own = new URL(call.provider.url ?? '').origin;
  if (url?.origin === own) return { origin: own, isOwn: true };
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isHidden = ipaddr.isValid(host) && !isPublic(host);
  if (url?.protocol === 'https:' && !isHidden) return { origin: url.origin, isOwn: false };
  const got = JSON.stringify((url?.origin ?? text).slice(0, 200));
  throw failed(
    call,
    `expected a file of ${call.provider.id} under https:// in the open internet or at ${own}, got ${got}.`,
  );
}

function decoded(call: ProviderCall, url: string): Uint8Array {
  const found = /^data:[^,]{0,200};base64,([A-Za-z0-9+/]+={0,2})$/.exec(url);
  if (found?.[1]) return Buffer.from(found[1], 'base64');
  throw failed(call, `expected a data: address in base64 from ${call.provider.id}, got another.`);
}

function failed({ provider }: ProviderCall, message: string): AppError {
  return endedCall('unreadable', message, { provider: provider.id });
}
