import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { safeType } from '#src/http/content/content-name.ts';
import { AppError } from '#src/lib/errors.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { abandonContent, type Content } from './file-store.ts';

/** A form that was read to its end, with its one file in the storage. */
export interface FileUpload {
  readonly content: Content;
  readonly name: string;
  readonly mediaType: string;
  /** The other fields, by name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Beside the file a form has few fields, and short ones; the file is bounded as it is read. */
const limits = { files: 1, fields: 10, fieldSize: 1_000, parts: 11, fileSize: Infinity };

/**
 * Reads a form whose field `file` is a file, and streams that file to the storage: neither all of it nor much of it is
 * ever in memory. A caller that cannot use it has to call `abandonContent`.
 *
 * @throws AppError `payload_too_large` as soon as it is, `malformed_body`, `unsupported_media_type`,
 *   `invalid_request` without a file, and what the storage says.
 */
export async function takeUpload(context: Context, request: FastifyRequest): Promise<FileUpload> {
  if (!request.isMultipart()) {
    const type = JSON.stringify(request.headers['content-type'] ?? 'none');
    throw new AppError('unsupported_media_type', `expected Content-Type multipart/form-data, got ${type}.`);
  }
  const fields: Record<string, string> = {};
  let file: Omit<FileUpload, 'fields'> | undefined;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') fields[part.fieldname] = textOf(part.fieldname, part.value, part.valueTruncated);
      else if (part.fieldname === 'file') {
        const content = await blobsOf(context).put(bounded(part.file, context.config.FILE_LIMIT_BYTES));
        file = { content, name: nameOf(part.filename), mediaType: safeType(part.mimetype) };
      } else throw new AppError('invalid_request', `expected a file in the field file, got it in ${part.fieldname}.`);
    }
  } catch (error) {
    if (file) await abandonContent(context, file.content);
    // what is still to come is read and dropped, so that the client hears why
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof AppError) throw error;
    throw new AppError(
      'malformed_body',
      'expected a form (multipart/form-data) with one file, got another.',
      {},
      error,
    );
  }
  if (file) return { ...file, fields };
  throw new AppError('invalid_request', 'file: expected a file, got none.', { field: 'file', value: null });
}

function bounded(source: Readable, limit: number): Readable {
  return Readable.from(
    (async function* () {
      let size = 0;
      for await (const chunk of source as AsyncIterable<Uint8Array>) {
        size += chunk.byteLength;
        if (size > limit) throw tooLarge(limit);
        yield chunk;
      }
    })(),
    { objectMode: false },
  );
}

function tooLarge(limit: number): AppError {
  const message = `expected a file of at most ${limit} bytes (FILE_LIMIT_BYTES), got a larger one.`;
  return new AppError('payload_too_large', message, { limit_bytes: limit });
}

function textOf(name: string, value: unknown, isCut: boolean): string {
  if (typeof value === 'string' && !isCut) return value;
  throw new AppError('invalid_request', `${name}: expected a text of at most ${limits.fieldSize} bytes, got another.`, {
    field: name,
    value: null,
  });
}

/** At most 255 characters that can be stored and shown. */
function nameOf(filename: string | undefined): string {
  const name = (filename ?? '')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(0, 255);
  return name === '' ? 'file' : name;
}
