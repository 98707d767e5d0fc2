import { AppError } from '#src/lib/errors.ts';
import { fileBytes, readFile } from '#src/platform/files/file-store.ts';
import { assetBytes, readAsset } from '#src/providers/assets.ts';
import { readMediaFile } from '#src/providers/media-file.ts';
import type { Context } from '#src/system/context.ts';
import { callOutside } from '#src/system/outside.ts';
import { assertInput, type InputKind, keepInput, wrong } from './keep-input.ts';

const FETCH_MS = 30_000;
/** The longest text of a body is a data URL; others are addresses and ids. */
export const inputText =
  'id of an asset (`asset-…` or its bare id) or file (`file-…`) of yours, a data URL (base64), or an https address';

/** One member of a body that is a file: what the client gave, and what it has to be. */
export interface Given {
  readonly text: string;
  readonly kind: InputKind;
  readonly field: string;
}

/**
 * The id of the asset that a client's text stands for: one of their own assets, or bytes that are kept as one now.
 *
 * @throws AppError `invalid_request` naming the field, `payload_too_large`, or `unavailable` where an address does not
 *   answer.
 */
export async function takeInput(context: Context, owner: string, given: Given): Promise<string> {
  const { text } = given;
  const id = /^(?:asset-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(text)?.[1];
  if (id !== undefined) return await ownInput(context, owner, id, given);
  const bytes = text.startsWith('file-') ? await ownFile(context, owner, given) : await bytesOf(context, given);
  return (await keepInput(context, owner, bytes, given)).id;
}

async function ownInput(context: Context, owner: string, id: string, { kind, field, text }: Given): Promise<string> {
  const asset = await readAsset(context, id, owner);
  if (!asset || asset.erasedAt) throw wrong(field, `expected the ${inputText}, got ${text}, which is none of yours`);
  const isSized = asset.width !== null && asset.height !== null;
  if (kind !== 'picture' || isSized || asset.kind !== 'image') {
    assertInput(asset, kind, field);
    return asset.id;
  }
  const file = readMediaFile(await assetBytes(context, asset));
  if (typeof file === 'string') throw wrong(field, `expected a whole picture, got ${file}`);
  assertInput(file, kind, field);
  return asset.id;
}

async function ownFile(context: Context, owner: string, { text, field }: Given): Promise<Uint8Array> {
  const most = context.config.MEDIA_UPLOAD_MAX_BYTES;
  const file = await readFile(context, owner, text);
  if (!file)
    throw wrong(field, `expected the ${inputText}, got ${JSON.stringify(text.slice(0, 80))}, which is none of yours`);
  if (file.size <= most) return await fileBytes(context, file);
  throw new AppError('payload_too_large', `body.${field}: expected a file of at most ${most} bytes, got ${file.size}.`);
}

async function bytesOf({ config }: Context, { text, field }: Given): Promise<Uint8Array> {
  const most = config.MEDIA_UPLOAD_MAX_BYTES;
  const base64 = /^data:[^,]{0,200};base64,/i.exec(text);
  if (base64) {
    const bytes = Buffer.from(text.slice(base64[0].length), 'base64');
    if (bytes.length <= most) return bytes;
    throw new AppError('payload_too_large', `body.${field}: expected at most ${most} bytes, got ${bytes.length}.`);
  }
  if (!/^https?:/i.test(text))
    throw wrong(field, `expected the ${inputText}, got ${JSON.stringify(text.slice(0, 80))}`);
  const { status, body } = await fetchInput(text, field, config);
  if (status === 200) return body;
  throw wrong(field, `expected an address that answers 200 with the file, got ${status} (redirects are not followed)`);
}

async function fetchInput(url: string, field: string, config: Context['config']) {
  try {
    return await callOutside({
      url,
      origins: config.FETCH_ORIGINS,
      anywhere: true,
      method: 'GET',
      mostBytes: config.MEDIA_UPLOAD_MAX_BYTES,
      timeoutMs: FETCH_MS,
      signal: AbortSignal.timeout(FETCH_MS),
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') throw wrong(field, error.message.replace(/\.$/, ''));
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', `body.${field}: ${new URL(url).origin} did not answer in full.`, {}, error);
  }
}
