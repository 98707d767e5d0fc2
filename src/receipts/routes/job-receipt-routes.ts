import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ownJob } from '#src/http/jobs/own-job.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import { AppError } from '#src/lib/errors.ts';
import { jobSalt, partSalt } from '#src/receipts/jobs/private-salts.ts';
import type { Context } from '#src/system/context.ts';

type Part = 'payload' | 'contract' | 'result' | 'effect';

const Salt = (of: string) => Type.String({ description: `Salt of the ${of}, hexadecimal` });

const JobReceipt = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The receipt; its id is that of the job' }),
    state: Type.Enum(['wanted', 'sealed'], { type: 'string', description: 'Whether it is sealed yet' }),
    receipt: Type.String({ description: 'Path of the receipt, which is public once it is sealed' }),
    page: Type.String({ description: 'Path of the page that verifies it in a browser' }),
    salts: Type.Object(
      {
        payload: Salt('payload'),
        contract: Salt('contract'),
        result: Salt('result'),
        effect: Salt('effect that its decision was about'),
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
      const { id, receipt } = await ownJob(context, request, request.params.id);
      if (receipt === null)
        throw new AppError('not_found', `expected a job that asks for a receipt, got ${id}, which asks for none.`, {
          field: 'path.id',
          value: id,
        });
      const salt = jobSalt(context.config, id);
      const saltOf = (part: Part) => hexOf(partSalt(salt, part));
      return {
        id,
        state: receipt,
        receipt: `/api/v1/receipts/${id}`,
        page: `/verify?receipt=${id}`,
        salts: {
          payload: saltOf('payload'),
          contract: saltOf('contract'),
          result: saltOf('result'),
          effect: saltOf('effect'),
        },
      };
    },
  );
};
