import { proveOver } from '#src/commands/client/human-client.ts';
import type { SignedIn } from '#src/commands/client/person-client.ts';
import type { ApprovalView } from '#src/governance/approvals/approval-view.ts';
import { AppError } from '#src/lib/errors.ts';

interface Challenge {
  readonly id: string;
  readonly body: Readonly<Record<string, string | number | null>>;
}

/**
 * The proof of personhood that a decision carries, made over exactly the effect that was shown.
 *
 * @throws AppError `invalid_request` where the challenge is over another effect, and as {@link proveOver}.
 */
export async function proveApproval(
  person: SignedIn,
  url: string,
  { id, effectSha256 }: Pick<ApprovalView, 'id' | 'effectSha256'>,
  secret: Uint8Array,
) {
  const challenge = await person.call<Challenge>(
    'POST',
    `/api/studio/v1/approvals/${encodeURIComponent(id)}/challenge`,
    {},
  );
  if (challenge.body['effectSha256'] !== effectSha256)
    throw new AppError(
      'invalid_request',
      'expected a challenge over this effect, got one over another; nothing was granted.',
    );
  return { challengeId: challenge.id, proof: await proveOver({ url }, secret, 'approval', challenge) };
}
