import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { type Approval, approvalStates, readApproval } from '#src/governance/approvals/approval-row.ts';
import { ApprovalView, approvalView } from '#src/governance/approvals/approval-view.ts';
import { ownJob } from '#src/http/jobs/own-job.ts';
import { AppError } from '#src/lib/errors.ts';
import { OptionalText, OptionalTime, Time } from '#src/lib/validation/schema-parts.ts';
import type { Context } from '#src/system/context.ts';

const { areas, effect } = ApprovalView.properties;

const JobApproval = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The decision, as `approval_id` of the job names it' }),
    state: Type.Enum([...approvalStates], {
      type: 'string',
      description:
        '`pending` waits for a person; `granted` for the job to begin, then it is `used`; `declined` and `expired` end the job',
    }),
    effect,
    effect_sha256: Type.String({ description: 'SHA-256 of the canonical JSON (RFC 8785) of the effect' }),
    areas,
    needs_proof_of_personhood: Type.Boolean({ description: 'Whether granting it takes a proof besides the sign-in' }),
    decide_at: Type.String({ description: 'Address at which a signed-in person decides' }),
    requested_by: Type.String({ description: 'Key or person who submitted the job' }),
    decided_by: OptionalText('Person who decided'),
    reason: OptionalText('Reason that they gave'),
    created_at: Time('When it was asked for'),
    expires_at: Time('When it can no longer be decided or used'),
    decided_at: OptionalTime('When it was decided'),
    used_at: OptionalTime('When the job was let go by it'),
  },
  { $id: 'JobApproval', title: 'JobApproval', description: 'The decision of a person that a job waits for' },
);

/** The route by which the owner of a job reads the decision that it waits for, or has used. */
export const jobDecisionRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.addSchema(JobApproval);
  app.get(
    '/v1/jobs/:id/approval',
    {
      schema: {
        tags: ['jobs'],
        summary: 'Read the decision that a job waits for, or has used',
        operationId: 'readJobApproval',
        params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The job' }) }),
        response: { 200: Type.Ref('JobApproval') },
      },
    },
    async (request) => {
      const { id, owner, approvalId } = await ownJob(context, request, request.params.id);
      const approval = approvalId === null ? null : await readApproval(context, approvalId, owner);
      if (approval) return jobApprovalView(context, approval);
      const state =
        approvalId === null
          ? 'which waits for none'
          : 'whose decision has not been asked for yet: try again in a second';
      throw new AppError('not_found', `expected a job with a decision, got ${id}, ${state}.`, {
        field: 'path.id',
        value: id,
      });
    },
  );
};

function jobApprovalView(context: Context, approval: Approval): Static<typeof JobApproval> {
  const view = approvalView(context, approval);
  return {
    id: view.id,
    state: view.status,
    effect: view.effect,
    effect_sha256: view.effectSha256,
    areas: view.areas,
    needs_proof_of_personhood: view.needsProofOfPersonhood,
    decide_at: view.decideAt,
    requested_by: view.requestedBy,
    decided_by: view.decidedBy,
    reason: view.reason,
    created_at: view.createdAt,
    expires_at: view.expiresAt,
    decided_at: view.decidedAt,
    used_at: view.usedAt,
  };
}
