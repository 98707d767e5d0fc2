import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/** Prefix of what replaces an uploaded file in a body: the same for the same bytes, as a repeated request has to be. */
const placeholder = 'upload-';

/** Bounds of a form, beside MEDIA_UPLOAD_MAX_BYTES for its files. */
const limits = { files: 17, fields: 64, fieldNameSize: 100, fieldSize: 262_144, parts: 80, headerPairs: 50 } as const;

const refusals: Readonly<Record<string, string>> = {
  FST_FILES_LIMIT: `more than ${limits.files} files`,
  FST_FIELDS_LIMIT: `more than ${limits.fields} fields`,
  FST_PARTS_LIMIT: `more than ${limits.parts} parts`,
};

export type Uploads = ReadonlyMap<string, Uint8Array>;

/** The body of a form, with a text in the place of each file, and the files by these texts. */
export interface Form {
  readonly body: Readonly<Record<string, unknown>>;
  readonly uploads: Uploads;
}

/**
 * Reads a form (`multipart/form-data`) within its bounds: a client that sends more is refused as soon as that is clear.
 * `image[]` is `image`; a field that comes again makes a list.
 *
 * @throws AppError `payload_too_large`, `malformed_body`.
 */
export async function readForm({ config }: Pick<Context, 'config'>, request: FastifyRequest): Promise<Form> {
  const most = config.MEDIA_UPLOAD_MAX_BYTES;
  const fields = new Map<string, unknown[]>();
  const uploads = new Map<string, Uint8Array>();
  let left = most;
  try {
    // counted here: the parser waits for ever for more of a file that it has cut exactly between two chunks
    for await (const part of request.parts({ limits: { ...limits, fileSize: most + 1 } })) {
      if (part.type === 'field' && (part.valueTruncated || part.fieldnameTruncated))
        throw tooLarge(`fields of at most ${limits.fieldSize} bytes`, 'a longer one');
      const name = part.fieldname.replace(/\[\]$/, '');
      const values = fields.get(name) ?? [];
      fields.set(name, values);
      if (part.type === 'field') {
        values.push(part.value);
        continue;
      }
      const bytes = await readFile(part.file, left);
      if (bytes === null) throw tooLarge(`at most ${most} bytes of files`, 'more');
      left -= bytes.length;
      values.push(keep(uploads, bytes));
    }
  } catch (error) {
    // the rest is read and dropped, so that the client hears why; closing would cut it off
    request.raw.unpipe().resume();
    throw refusal(error);
  }
  const body = [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values] as const);
  return { body: Object.fromEntries(body), uploads };
}

/** All bytes of a file; null as soon as there are more than `most`. */
async function readFile(file: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function keep(uploads: Map<string, Uint8Array>, bytes: Uint8Array): string {
  const name = `${placeholder}${hash('sha256', bytes, 'hex')}`;
  uploads.set(name, bytes);
  return name;
}

function refusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const found = refusals[(error as { readonly code?: string }).code ?? ''];
  if (found !== undefined) return tooLarge('a form within its bounds', found);
  return new AppError(
    'malformed_body',
    'expected a whole form (multipart/form-data), got one that cannot be read.',
    {},
    error,
  );
}

function tooLarge(expected: string, found: string): AppError {
  return new AppError('payload_too_large', `expected ${expected}, got ${found}.`);
}
