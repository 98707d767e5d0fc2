import { buffer } from 'node:stream/consumers';
import { AppError } from '#src/lib/errors.ts';
import type { Intake, IntakeInput } from '#src/platform/edge/intake.ts';
import { fileBytes, readFile } from '#src/platform/files/file-store.ts';
import { eraseAsset } from '#src/providers/assets/asset-retention.ts';
import { type Asset, assetBytes, readAsset } from '#src/providers/assets/assets.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { uploadBudget } from '#src/system/outside/upload-budget.ts';
import { fetchInput } from './fetch-input.ts';
import { assertBeginning, assertInput, BEGINNING, keepInput, readInput, wrong } from './keep-input.ts';
import type { Uploads } from './uploads.ts';

/** The longest text of a body is a data URL; others are addresses and ids. */
export const inputText =
  'id of an asset (`asset-…` or its bare id) or file (`file-…`) of yours, a data URL (base64), or an https address';

/** @param uploads files that came with the request, by the texts that stand for them in its body */
export function openIntake(context: Context, owner: string, uploads: Uploads = new Map()): Intake {
  const most = context.config.MEDIA_UPLOAD_MAX_BYTES;
  const stored: Asset[] = [];
  let left = most;

  const spend = (field: string, bytes: number): void => {
    if (bytes > left) {
      const message = `body.${field}: expected files of at most ${most} bytes together (MEDIA_UPLOAD_MAX_BYTES), got more.`;
      throw new AppError('payload_too_large', message, { field: `body.${field}` });
    }
    left -= bytes;
  };
  /** Reads what was not in memory yet, which takes room there as an upload does. */
  const within = async <T>(bytes: number, read: () => Promise<T>): Promise<T> => {
    const giveBack = uploadBudget(context)(bytes);
    try {
      return await read();
    } finally {
      giveBack();
    }
  };
  const keep = async (bytes: Uint8Array, input: IntakeInput): Promise<string> => {
    const asset = await keepInput(context, owner, bytes, input);
    stored.push(asset);
    return asset.id;
  };

  const ownAsset = async (id: string, { kind, field, text }: IntakeInput): Promise<string> => {
    const asset = await readAsset(context, id, owner);
    if (!asset || asset.erasedAt) throw wrong(field, `expected the ${inputText}, got ${text}, which is none of yours`);
    const isSized = asset.width !== null && asset.height !== null;
    if (kind !== 'picture' || isSized || asset.kind !== 'image') {
      assertInput(asset, kind, field);
      return asset.id;
    }
    spend(field, asset.size);
    await within(asset.size, async () => readInput(await assetBytes(context, asset), { kind, field }));
    return asset.id;
  };

  const ownFile = async (input: IntakeInput): Promise<string> => {
    const { text, field } = input;
    const file = await readFile(context, owner, text);
    if (!file)
      throw wrong(field, `expected the ${inputText}, got ${JSON.stringify(text.slice(0, 80))}, which is none of yours`);
    spend(field, file.size);
    const beginning = await blobsOf(context).open(file.sha256, { start: 0, end: Math.min(file.size, BEGINNING) - 1 });
    if (beginning) assertBeginning(await buffer(beginning.stream), input);
    return await within(file.size, async () => await keep(await fileBytes(context, file), input));
  };

  const inText = async (base64: string, input: IntakeInput): Promise<string> => {
    // a third shorter than the text, as near as the padding allows
    spend(input.field, Math.floor((base64.length * 3) / 4) - 2);
    assertBeginning(Buffer.from(base64.slice(0, (BEGINNING * 4) / 3), 'base64'), input);
    return await keep(Buffer.from(base64, 'base64'), input);
  };

  const atAddress = async (input: IntakeInput): Promise<string> => {
    let giveBack = () => {};
    // one that does not say how long it is may take all that is left
    const announced = (length: number | null) => void (giveBack = uploadBudget(context)(length ?? left));
    try {
      const bytes = await fetchInput(context.config, input, left, announced);
      spend(input.field, bytes.length);
      return await keep(bytes, input);
    } finally {
      giveBack();
    }
  };

  const take = async (input: IntakeInput): Promise<string> => {
    const { text, field } = input;
    const uploaded = uploads.get(text);
    if (uploaded) {
      spend(field, uploaded.length);
      return await keep(uploaded, input);
    }
    const id = /^(?:asset-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(text)?.[1];
    if (id !== undefined) return await ownAsset(id, input);
    if (text.startsWith('file-')) return await ownFile(input);
    const head = /^data:[^,]{0,200};base64,/i.exec(text)?.[0];
    if (head !== undefined) return await inText(text.slice(head.length), input);
    if (/^https?:/i.test(text)) return await atAddress(input);
    throw wrong(field, `expected the ${inputText}, got ${JSON.stringify(text.slice(0, 80))}`);
  };

  let last: Promise<unknown> = Promise.resolve();
  return {
    take: async (input) => {
      const taken = last.then(async () => await take(input));
      last = taken.catch(() => {});
      return await taken;
    },
    abandon: async () => {
      await last;
      for (const asset of stored.splice(0)) await eraseAsset(context, asset);
    },
  };
}
