import { randomUUIDv7 } from 'node:crypto';
import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { type AssetRequest, keepAsset } from '#src/providers/assets/assets.ts';
import type { Context } from '#src/system/context.ts';

/** A folder for one test, as the home of a system. */
export async function testHome(): Promise<{ readonly path: string } & AsyncDisposable> {
  const home = await mkdtempDisposable(join(tmpdir(), 'artefacts-'));
  return { path: home.path, [Symbol.asyncDispose]: () => home.remove() };
}

/** Names of the contents that lie in a home. */
export async function contentsOf(home: string): Promise<readonly string[]> {
  const files = await readdir(join(home, 'artefacts'), { recursive: true }).catch(() => []);
  return files.map((file) => file.split('/').at(-1) ?? '').filter((name) => /^[0-9a-f]{64}$/.test(name));
}

/** A picture of one colour, as PNG. */
export function picture(colour: string, size = 32): Uint8Array {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="100%" height="100%" fill="${colour}"/></svg>`;
  return new Resvg(svg).render().asPng();
}

/** Keeps something for `owner-1`; text, unless it is said what. */
export async function keep(context: Context, request: Partial<AssetRequest> = {}) {
  return await keepAsset(context, {
    owner: 'owner-1',
    job: randomUUIDv7(),
    name: 'captions',
    capability: 'video.generate',
    provider: 'local-animatic',
    surface: 'studio',
    produced: { kind: 'text', mediaType: 'text/vtt', bytes: Buffer.from('WEBVTT\n') },
    ...request,
  });
}
