import { type Static, Type } from 'typebox';
import { AssuranceName } from '#src/access/humans/store/assurance-schema.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { type Approval, approvalKinds, approvalStates } from './approval-row.ts';
import { Area, needsHumanProof } from './areas.ts';

const text = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** An approval as its owner sees it. */
export const ApprovalView = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Value of `approvalRef`' }),
    status: Type.Enum([...approvalStates], { type: 'string' }),
    kind: Type.Enum([...approvalKinds], {
      type: 'string',
      description: 'A render of a plan, a publication, or a job of any queue that waits for a decision',
    }),
    subject: Type.String({ description: 'The plan, asset or job that it is about' }),
    effect: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: 'Exactly what will happen',
    }),
    effectSha256: Type.String({ description: 'SHA-256 of the canonical JSON of the effect' }),
    areas: Type.Array(Area),
    needsProofOfPersonhood: Type.Boolean({ description: 'Whether granting it takes a proof besides the sign-in' }),
    jobId: text('The job that waits for it, or that used it'),
    requestedBy: Type.String(),
    decidedBy: text('Who decided'),
    reason: text('What they said of it'),
    assurance: Type.Union([AssuranceName('Assurance that a human is behind the proof'), Type.Null()], {
      description: 'Assurance of the proof of personhood, where there was one',
    }),
    decideAt: Type.String({ description: 'Address at which a signed-in person decides' }),
    createdAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({ format: 'date-time' }),
    decidedAt: text('When it was decided'),
    usedAt: text('When it was used'),
  },
  {
    $id: 'StudioApproval',
    additionalProperties: false,
    description: 'A decision that lets one exact effect happen, once',
  },
);
export type ApprovalView = Static<typeof ApprovalView>;

export function approvalView({ config }: Pick<Context, 'config'>, approval: Approval): ApprovalView {
  const { id, state, kind, subject, effect, effectHash, areas, job, requestedBy, decidedBy, reason, human } = approval;
  return {
    id,
    status: state,
    kind,
    subject,
    effect,
    effectSha256: effectHash,
    areas: [...areas],
    needsProofOfPersonhood: needsHumanProof(areas),
    jobId: job,
    requestedBy,
    decidedBy,
    reason,
    assurance: human?.assurance ?? null,
    decideAt: `${publicUrlOf(config, 'studio')}/api/studio/v1/approvals/${id}/decision`,
    createdAt: approval.createdAt.toISOString(),
    expiresAt: approval.expiresAt.toISOString(),
    decidedAt: approval.decidedAt?.toISOString() ?? null,
    usedAt: approval.usedAt?.toISOString() ?? null,
  };
}
