import { Readable } from 'node:stream';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import type { FileOrigin } from './c2pa.ts';
import { mediaSignerOf } from './signer.ts';
import { sourceTypes } from './source-of.ts';

/** Media types whose files can carry a manifest here. */
export const carriers: readonly string[] = ['image/png', 'image/jpeg', 'video/mp4'];

/** Known origin of a file, and whether the file states it itself. */
export const Provenance = Type.Object({
  kind: Type.Enum(['c2pa', 'sidecar', 'none'], {
    type: 'string',
    description: 'c2pa: a signed manifest is in the file; sidecar: it lies beside it; none: there is none',
  }),
  note: Type.String({ description: 'Meaning of the origin, or the reason why there is none' }),
  /** Name of the manifest that we put in. */
  manifest: Type.Optional(Type.String()),
  signer: Type.Optional(
    Type.Object({
      subject: Type.String(),
      fingerprint: Type.String({ description: 'SHA-256 of the certificate, hexadecimal' }),
      development: Type.Boolean({
        description: 'True for a certificate made by this installation itself, which no verifier trusts',
      }),
    }),
  ),
  digitalSourceType: Type.Optional(
    Type.Enum([...sourceTypes], {
      type: 'string',
      description:
        'Term of IPTC’s list of digital source types, whether the file says so itself or not; of pictures, films and sound',
    }),
  ),
});
export type Provenance = Static<typeof Provenance>;

export interface Attributed {
  readonly source: Uint8Array | Readable;
  readonly provenance: Provenance;
}

/**
 * A file with what it says of itself, where its format allows: a manifest of C2PA. A manifest that it came with stays,
 * as another one would hide it. At most C2PA_MAX_BYTES are held in memory; what is longer goes on as a stream, without
 * one.
 *
 * @throws AppError `invalid_configuration` when the certificate or its key cannot be used.
 */
export async function attribute(
  context: Context,
  source: Uint8Array | Readable,
  mediaType: string,
  origin: FileOrigin,
): Promise<Attributed> {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const without = (left: Uint8Array | Readable, note: string) => bare(left, type, origin, note);
  if (!carriers.includes(type)) return without(source, `No manifest of C2PA is written into ${type} here.`);
  const limit = context.config.C2PA_MAX_BYTES;
  const { bytes, rest } = await firstBytes(source, limit);
  if (bytes === null)
    return without(rest, `It has more than ${limit} bytes (C2PA_MAX_BYTES), which is too long for one.`);
  // its library is large: loaded with the first file
  const { embedManifest, hasManifest } = await import('./c2pa.ts');
  // outside of the try: a certificate that cannot be used is the operator's to mend
  const signer = await mediaSignerOf(context);
  try {
    if (hasManifest(bytes, type)) {
      const note = 'It came from its provider with a manifest, which is left as it is; it has not been checked here.';
      return { source: bytes, provenance: { kind: 'c2pa', note } };
    }
    const embedded = await embedManifest(bytes, type, origin, signer);
    if (embedded === null) return without(bytes, 'It is a film in fragments, for which none is written here.');
    const { subject, fingerprint, development } = signer;
    const note = development
      ? 'Signed with a development certificate that no verifier trusts: it ties the file to what is said of it, not to a known signer.'
      : 'Signed with the operator’s certificate; each verifier decides whether to trust it.';
    return {
      source: embedded.bytes,
      provenance: {
        kind: 'c2pa',
        note,
        manifest: embedded.label,
        signer: { subject, fingerprint, development },
        digitalSourceType: origin.source,
      },
    };
  } catch (error) {
    context.log.warn({ err: error, job: origin.job, name: origin.name, mediaType }, 'a file took no manifest of C2PA');
    return without(bytes, `It could not be read as ${type}, so it carries none.`);
  }
}

function bare(source: Uint8Array | Readable, type: string, origin: FileOrigin, note: string): Attributed {
  const isMedia = /^(?:image|video|audio)\//.test(type);
  return { source, provenance: { kind: 'none', note, ...(isMedia && { digitalSourceType: origin.source }) } };
}

/** All of a source, where it has at most so many bytes; else null, and the whole of it again as a stream. */
async function firstBytes(
  source: Uint8Array | Readable,
  limit: number,
): Promise<
  { readonly bytes: Uint8Array; readonly rest?: never } | { readonly bytes: null; readonly rest: Uint8Array | Readable }
> {
  if (source instanceof Uint8Array) return source.length > limit ? { bytes: null, rest: source } : { bytes: source };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reading = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  for (let next = await reading.next(); next.done !== true; next = await reading.next()) {
    chunks.push(next.value);
    size += next.value.byteLength;
    if (size > limit) return { bytes: null, rest: Readable.from(joined(chunks, reading)) };
  }
  return { bytes: Buffer.concat(chunks) };
}

async function* joined(chunks: readonly Uint8Array[], reading: AsyncIterator<Uint8Array>) {
  try {
    yield* chunks;
    for (let next = await reading.next(); next.done !== true; next = await reading.next()) yield next.value;
  } finally {
    await reading.return?.();
  }
}
