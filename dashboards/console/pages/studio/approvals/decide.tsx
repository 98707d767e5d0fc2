import { Button, Group, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { callKey, useChange } from '#console/api/use-call.ts';
import { approvalWords } from '#console/pages/studio/parts/approval-words.ts';
import type { Approval } from '#console/pages/studio/parts/studio-types.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { Effect } from './effect.tsx';
import { isAsShown } from './effect-digest.tsx';
import { ProofNeeded } from './proof-needed.tsx';
import { usePayload } from './use-payload.ts';

/** Yes or no, by the person who is signed in; where a yes takes a proof of personhood, how it is given. */
export function Decide({ approval }: { readonly approval: Approval }) {
  const { id, status, kind, jobId, needsProofOfPersonhood } = approval;
  const client = useQueryClient();
  const payload = usePayload(approval);
  const [reason, setReason] = useState('');
  const decide = useChange('POST /api/studio/v1/approvals/{id}/decision', async (decided) => {
    client.setQueryData(callKey('GET /api/studio/v1/approvals/{id}', { path: { id } }), decided);
    await client.invalidateQueries({ queryKey: callKey('GET /api/studio/v1/approvals') });
  });
  const say = async (decision: 'grant' | 'decline') =>
    await decide.mutateAsync({
      path: { id },
      body: { decision, ...(reason.trim() !== '' && { reason: reason.trim() }) },
    });
  if (status === 'expired' || status === 'declined') return <AskAgain approval={approval} />;
  if (status !== 'pending') return <span className="quiet">It is decided, and cannot be decided again.</span>;
  const words = (
    <Textarea
      label="Reason"
      description="For the audit. May be left out."
      maxLength={500}
      autosize
      minRows={2}
      mt="md"
      value={reason}
      onChange={({ currentTarget }) => setReason(currentTarget.value)}
    />
  );
  const decline = (
    <ConfirmButton label="Decline" question="Decline it?" act={() => say('decline')} grave>
      <p>
        Nothing of this happens{jobId === null ? '' : ', and the job that waits for it is cancelled'}. It can be
        requested again.
      </p>
      {words}
    </ConfirmButton>
  );
  return (
    <>
      {needsProofOfPersonhood && <ProofNeeded id={id} />}
      <Group gap="xs">
        {!needsProofOfPersonhood && (
          <ConfirmButton
            label="Grant"
            question={approvalWords[kind].question}
            act={() => say('grant')}
            variant="filled"
            incomplete={payload.state !== 'whole' || !isAsShown(approval)}
          >
            <p>
              You allow exactly this, once.{' '}
              {jobId === null
                ? 'Nothing starts by itself: the requester starts it then.'
                : 'The job that waits for it starts at once.'}
            </p>
            <Effect approval={approval} />
            {words}
          </ConfirmButton>
        )}
        {decline}
      </Group>
    </>
  );
}

function AskAgain({ approval: { kind, subject, status } }: { readonly approval: Approval }) {
  return (
    <Group gap="sm">
      <span className="quiet">It is {status}, and nothing of it happens.</span>
      {kind === 'render' && (
        <Button component={Link} href={`/studio/plans/${subject}`} variant="default">
          Ask again from its plan
        </Button>
      )}
    </Group>
  );
}
