import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ownJob } from '#src/http/jobs/own-job.ts';
import { readAcceptedContract } from '#src/jobs/registry/contract-text.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import { AppError } from '#src/lib/errors.ts';
import { jobSalt, partSalt } from '#src/receipts/jobs/private-salts.ts';
import type { Context } from '#src/system/context.ts';

const parts = ['payload', 'contract', 'result', 'effect', 'ledger', 'effects'] as const;
type Part = (typeof parts)[number];

const Salt = (of: string) => Type.String({ description: `Salt of the ${of}, hexadecimal` });

const JobReceipt = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The receipt; its id is that of the job' }),
    state: Type.Enum(['wanted', 'sealed'], { type: 'string', description: 'Whether it is sealed yet' }),
    receipt: Type.String({ description: 'Path of the receipt, which is public once it is sealed' }),
    page: Type.String({ description: 'Path of the page that verifies it in a browser' }),
    contract: Type.Union(
      [
        Type.Object({
          version: Type.Integer({ description: 'Its version' }),
          digest: Type.String({ description: 'SHA-256 of its canonical JSON, hexadecimal' }),
          text: Type.String({ description: 'Path of its exact text, whose salted hash the receipt has' }),
        }),
        Type.Null(),
      ],
      { description: 'Contract that the job was accepted under; null for a job of an earlier release' },
    ),
    salts: Type.Object(
      {
        payload: Salt('payload'),
        contract: Salt('contract'),
        result: Salt('result'),
        effect: Salt('effect that its decision was about'),
        ledger: Salt('chain over the events of its ledger'),
        effects: Salt('chain over its effects'),
      },
      {
        description:
          'SHA-256 of a salt followed by the canonical JSON (RFC 8785) of a part is the hash that the receipt has of it: give both away to show the part',
      },
    ),
  },
  { $id: 'JobReceipt', title: 'JobReceipt', description: 'The receipt of a job, and what opens its private parts' },
);

/** The route by which the owner of a job finds its receipt, and the salts of its private parts. */
export const jobReceiptRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.addSchema(JobReceipt);
  app.get(
    '/v1/jobs/:id/receipt',
    {
      schema: {
        tags: ['receipts'],
        summary: 'Find the receipt of a job, and the salts of its private parts',
        operationId: 'readJobReceipt',
        params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The job' }) }),
        response: { 200: Type.Ref('JobReceipt') },
      },
    },
    async (request) => {
      const { id, receipt, queue, version } = await ownJob(context, request, request.params.id);
      if (receipt === null)
        throw new AppError('not_found', `expected a job that asks for a receipt, got ${id}, which asks for none.`, {
          field: 'path.id',
          value: id,
        });
      const salt = jobSalt(context.config, id);
      const salts = parts.map((part) => [part, hexOf(partSalt(salt, part))] as const);
      const accepted = await readAcceptedContract(context, id);
      return {
        id,
        state: receipt,
        receipt: `/api/v1/receipts/${id}`,
        page: `/verify?receipt=${id}`,
        contract: accepted && {
          version,
          digest: accepted.digest,
          text: `/v1/queues/${queue}/contracts/${accepted.digest}`,
        },
        salts: Object.fromEntries(salts) as Record<Part, string>,
      };
    },
  );
};
