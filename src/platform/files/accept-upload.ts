import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { abandonContent, type FilePurpose, recordFile, type StoredFile, uploadPurposes } from './file-store.ts';
import type { FileUpload } from './take-upload.ts';

const shortestSeconds = 3_600;
const longestSeconds = 2_592_000;

/** The form of a file that is brought; for the description of the route. */
export const UploadForm = Type.Object({
  file: Type.String({ format: 'binary', description: 'The file' }),
  purpose: Type.Enum([...uploadPurposes], { type: 'string', description: 'Purpose of the file' }),
  'expires_after[anchor]': Type.Optional(Type.Enum(['created_at'], { type: 'string' })),
  'expires_after[seconds]': Type.Optional(
    Type.Integer({ minimum: shortestSeconds, maximum: longestSeconds, description: 'Seconds for which it is stored' }),
  ),
});

/**
 * Makes an uploaded file one of its owner's.
 *
 * @throws AppError `invalid_request` for a field that is wrong; nothing is stored then.
 */
export async function acceptUpload(
  context: Context,
  owner: string,
  { content, name, mediaType, fields }: FileUpload,
): Promise<StoredFile> {
  try {
    const { purpose, seconds } = readFields(fields);
    return await context.db.transaction(
      async (tx) => await recordFile(context, tx, content, { owner, name, mediaType, purpose, seconds }),
    );
  } catch (error) {
    await abandonContent(context, content);
    throw error;
  }
}

function readFields(fields: Readonly<Record<string, string>>): { purpose: FilePurpose; seconds: number | undefined } {
  const { purpose, 'expires_after[anchor]': anchor, 'expires_after[seconds]': seconds, ...others } = fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(unknown, `one of ${Object.keys(UploadForm.properties).join(', ')}`, unknown);
  const known = uploadPurposes.find((one) => one === purpose);
  if (known === undefined) throw wrong('purpose', `one of ${uploadPurposes.join(', ')}`, purpose);
  if (anchor !== undefined && anchor !== 'created_at') throw wrong('expires_after[anchor]', 'created_at', anchor);
  return { purpose: known, seconds: seconds === undefined ? undefined : secondsOf(seconds) };
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (seconds >= shortestSeconds && seconds <= longestSeconds) return seconds;
  throw wrong('expires_after[seconds]', `a whole number from ${shortestSeconds} to ${longestSeconds}`, text);
}

function wrong(field: string, expected: string, value: string | undefined): AppError {
  const got = value === undefined ? 'none' : JSON.stringify(value.slice(0, 100));
  return new AppError('invalid_request', `${field}: expected ${expected}, got ${got}.`, {
    field: `body.${field}`,
    value: value ?? null,
  });
}
