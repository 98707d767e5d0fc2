import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { leafHash } from '#src/lib/crypto/merkle.ts';
import { readAnchorState } from '#src/receipts/anchor/leaves.ts';
import { putReceipt, readReceipt } from '#src/receipts/receipt-store.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { sealedReceipt } from './sealed-receipt.ts';

let system: QuietSystem;
beforeAll(async () => {
  system = await quietSystem();
});
afterAll(async () => await system[Symbol.asyncDispose]());

test('a receipt is read as it was put, unanchored, and the same again changes nothing', async () => {
  const { context } = system;
  const receipt = sealedReceipt(randomUUID());
  for (const _ of [1, 2]) {
    await context.db.transaction((tx) => putReceipt(tx, { owner: 'alice', kind: 'mission', receipt }));
    expect(await readReceipt(context, receipt.id)).toEqual({ ...receipt, anchor: null });
    expect(await readAnchorState(context, `receipt:${receipt.id}`)).toEqual({ status: 'waiting', anchored: false });
  }
});

test('what is rolled back leaves no receipt and nothing to anchor', async () => {
  const { context } = system;
  const receipt = sealedReceipt(randomUUID());
  const undone = context.db.transaction(async (tx) => {
    await putReceipt(tx, { owner: 'alice', kind: 'mission', receipt });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await readReceipt(context, receipt.id)).toBe(null);
  expect(await readAnchorState(context, `receipt:${receipt.id}`)).toBe(null);
});

test('error: another receipt of the same id is refused and the first one stands', async () => {
  const { context } = system;
  const receipt = sealedReceipt(randomUUID());
  await context.db.transaction((tx) => putReceipt(tx, { owner: 'alice', kind: 'mission', receipt }));
  const other = { ...receipt, root: prefixedHexOf(leafHash(Buffer.from('another statement'))) };
  await expect(
    context.db.transaction((tx) => putReceipt(tx, { owner: 'alice', kind: 'mission', receipt: other })),
  ).rejects.toMatchObject({ code: 'state_conflict' });
  expect((await readReceipt(context, receipt.id))?.root).toBe(receipt.root);
});
