import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { KnownText } from '#src/lib/validation/known-values.ts';
import { payloadType, Receipt } from '#src/receipts/format/receipt-schema.ts';
import { dsseOf } from '#src/receipts/format/seal.ts';
import { type AttestOptions, openAttest } from '#src/receipts/verify/attest.ts';
import { Attestation } from '#src/receipts/verify/attestation-schema.ts';
import { spendLookup } from '#src/receipts/verify/lookup-limit.ts';
import type { Attestation as Attested } from '#src/receipts/verify/verify.ts';
import type { Context } from '#src/system/context.ts';

export interface ReceiptRoutesOptions extends AttestOptions {
  /** The receipt with this id, a UUID; null when there is none. */
  readonly readReceipt: (context: Context, id: string) => Promise<Receipt | null>;
}

const Params = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the mission, or of the job of a live execution' }),
});
const Query = Type.Object({
  onchain: Type.Optional(
    Type.Enum(['0', '1'], { type: 'string', description: '1: read the calldata back from the chain' }),
  ),
});
const Dsse = Type.Object({
  payload: Type.String({ description: 'The canonical statement, base64' }),
  // as it is kept: a writer of a constant would say it of a forged one too
  payloadType: KnownText('EnvelopeType', [payloadType], 'What the payload is'),
  signatures: Type.Array(Type.Object({ keyid: Type.String(), sig: Type.String() })),
});

const shared = { tags: ['receipts'], security: [], params: Params };

/** Routes for receipts, which are public: every caller who knows the id may read, and pages of any origin may. */
export const receiptRoutes: FastifyPluginAsyncTypebox<ReceiptRoutesOptions> = async (app, options) => {
  const { context, readReceipt } = options;
  const attest = openAttest(options);
  const config = { access: 'public', anyOrigin: true } as const;

  const find = async (id: string): Promise<Receipt> => {
    const receipt = await readReceipt(context, id.toLowerCase());
    if (receipt) return receipt;
    throw new AppError(
      'not_found',
      `expected the id of a mission or job that was sealed, got ${id}; it has no receipt, or none yet.`,
    );
  };
  const attested = async (id: string, receipt: Receipt, ip: string, onchain: string | undefined): Promise<Attested> => {
    if (onchain !== '1') return await attest.offline(receipt, id);
    await spendLookup(context)(ip);
    return await attest.onChain(receipt, id);
  };

  app.get(
    '/api/v1/receipts/:id',
    {
      config,
      schema: {
        ...shared,
        summary: 'Read a receipt, with what a check of it finds',
        description: 'The attestation is this service’s own; `proofline verify` and /verify form another.',
        operationId: 'readReceipt',
        querystring: Query,
        response: { 200: Type.Object({ ...Receipt.properties, attestation: Attestation }) },
      },
    },
    async ({ params, query, ip }, reply) => {
      const receipt = await find(params.id);
      const attestation = await attested(params.id, receipt, ip, query.onchain);
      // as they are: a serialiser that drops what it does not know would break the seal; nothing here is unknown
      const text = JSON.stringify({ ...receipt, attestation });
      return reply
        .headers(checkedAnew)
        .type('application/json')
        .serializer(String)
        .send(text as never);
    },
  );

  app.get(
    '/api/v1/receipts/:id/verify',
    {
      config,
      schema: {
        ...shared,
        summary: 'Check a receipt on three counts: integrity, authenticity, anchor',
        operationId: 'verifyReceipt',
        querystring: Query,
        response: { 200: Attestation },
      },
    },
    async ({ params, query, ip }, reply) => {
      const attestation = await attested(params.id, await find(params.id), ip, query.onchain);
      return reply.headers(checkedAnew).send(attestation as never);
    },
  );

  app.get(
    '/api/v1/receipts/:id.dsse',
    {
      config,
      schema: {
        ...shared,
        summary: 'Read the sealed statement as a DSSE envelope, in the exact bytes that were sealed',
        operationId: 'readReceiptEnvelope',
        response: { 200: Dsse },
      },
    },
    async ({ params }, reply) => {
      const receipt = await find(params.id);
      // an envelope has no attestation beside it that would fail
      const { receiptId } = receipt.statement.predicate;
      if (receiptId !== params.id.toLowerCase())
        throw new AppError('not_found', `expected the receipt ${params.id}, got that of ${receiptId} in its place.`);
      const envelope = dsseOf(receipt);
      return reply.headers({ 'cache-control': 'public, max-age=86400' }).send(envelope);
    },
  );
};

/** Header of checks: a remembered answer, in a browser or on the way, is no check of the receipt that is here now. */
const checkedAnew = { 'cache-control': 'no-cache' };
