import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { type McpCaller, type McpContext, tool } from '#src/mcp/model/tool.ts';
import { linkOf } from '#src/mcp/resources/receipt-link.ts';
import { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { Attestation as AttestationSchema } from '#src/receipts/verify/attestation-schema.ts';
import { spendLookup } from '#src/receipts/verify/lookup-limit.ts';
import { ownAttest } from '#src/receipts/verify/own-attest.ts';
import type { Attestation } from '#src/receipts/verify/verify.ts';
import type { Context } from '#src/system/context.ts';

const input = Type.Object(
  {
    receiptId: Type.String({ format: 'uuid', description: 'The receipt; its id is that of its mission' }),
    onchain: Type.Optional(
      Type.Boolean({
        description: 'true reads the transaction back from the chain and folds this receipt’s root to it',
      }),
    ),
  },
  { additionalProperties: false },
);
const attestation = Type.Unsafe<Attestation>(AttestationSchema);
const hints = { readOnlyHint: true, openWorldHint: false };

/** The receipts of anybody: they are public. */
const get = tool({
  name: 'agent_receipt_get',
  title: 'Read a receipt',
  description:
    'A receipt with its attestation: what was done, sealed by this service and anchored on a chain. Receipts are public; goals and outputs stand in them as salted hashes alone.',
  surface: 'missions',
  scope: null,
  input,
  output: Type.Object({ ...Receipt.properties, attestation }),
  hints,
  run: async ({ context }, { input: { receiptId, onchain }, ip }) => {
    const receipt = await receiptOf(context, receiptId);
    return {
      output: { ...receipt, attestation: await attest({ context }, receiptId, receipt, { onchain, ip }) },
      links: [linkOf(receiptId)],
    };
  },
});

const verify = tool({
  name: 'agent_receipt_verify',
  title: 'Verify a receipt',
  description:
    'Checks a receipt on three counts: integrity (its chain of events), authenticity (its seal) and anchor (its root on the chain), each pass, fail, pending or not-checked with the reason. This is the service checking itself; `proofline verify` and the page /verify check without trusting it.',
  surface: 'missions',
  scope: null,
  input,
  output: attestation,
  hints,
  run: async ({ context }, { input: { receiptId, onchain }, ip }) => ({
    output: await attest({ context }, receiptId, await receiptOf(context, receiptId), { onchain, ip }),
    links: [linkOf(receiptId)],
  }),
});

export const receiptTools = { get, verify };

async function receiptOf(context: Context, id: string): Promise<Receipt> {
  const receipt = await readReceipt(context, id.toLowerCase());
  if (receipt) return receipt;
  throw new AppError(
    'not_found',
    `expected the id of a mission or job that was sealed, got ${id}; it has no receipt, or none yet.`,
  );
}

async function attest(
  { context }: Pick<McpContext, 'context'>,
  id: string,
  receipt: Receipt,
  { onchain = false, ip }: { readonly onchain: boolean | undefined } & Pick<McpCaller, 'ip'>,
) {
  if (!onchain) return await ownAttest(context).offline(receipt, id);
  await spendLookup(context)(ip);
  return await ownAttest(context).onChain(receipt, id);
}
