import { Link } from 'wouter';
import { isUnknown } from '#console/api/api-error.ts';
import { useSession } from '#console/api/session.ts';
import { useCall } from '#console/api/use-call.ts';
import { approvalWords } from '#console/pages/studio/parts/approval-words.ts';
import { Areas } from '#console/pages/studio/parts/areas.tsx';
import type { Approval } from '#console/pages/studio/parts/studio-types.ts';
import classes from '#console/pages/studio/parts/two-columns.module.css';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago, Time } from '#console/ui/time.tsx';
import { toneOf } from './approval-rows.tsx';
import { Decide } from './decide.tsx';
import { Effect } from './effect.tsx';
import { EffectDigest } from './effect-digest.tsx';
import { UseApproval } from './use-approval.tsx';

/** One decision: exactly what will happen, why a person decides, and yes or no. */
export function ApprovalPage({ id }: { readonly id: string }) {
  const approval = useCall('GET /api/studio/v1/approvals/{id}', { path: { id } });
  const data = approval.data;
  if (approval.isError && isUnknown(approval.error)) return <NotYours />;
  return (
    <Page
      title={data ? approvalWords[data.kind].title : 'Approval'}
      beside={data && <StateBadge state={data.status} tone={toneOf(data.status)} />}
      lead={<Link href="/studio/approvals">All approvals</Link>}
    >
      <Answered query={approval} what="the approval">
        {(found) => (
          <div className={classes['columns']}>
            <Panel title={isOpen(found) ? 'Exactly what will happen, once' : 'What it was about'}>
              <Effect approval={found} />
              <EffectDigest approval={found} />
            </Panel>
            <div className={classes['column']}>
              <Panel title="The decision">
                <DecisionFacts approval={found} />
                <Decide approval={found} />
                <UseApproval approval={found} />
              </Panel>
              <Panel title="Why a person decides">
                {found.areas.length === 0 ? <p>{reasonOf(found)}</p> : <Areas areas={found.areas} />}
              </Panel>
            </div>
          </div>
        )}
      </Answered>
    </Page>
  );
}

/** Page of a decision that the visitor may not see, or that is not there: which of both is not said. */
function NotYours() {
  const { email } = useSession();
  return (
    <Page title="No decision of yours" lead={<Link href="/studio/approvals">All approvals</Link>}>
      <Empty title={`${email} may not decide this`}>
        It belongs to another owner, or there is no such decision. Its owner and operators may decide it: sign in as one
        of them.
      </Empty>
    </Page>
  );
}

/** Reason for a decision that touches no area: the one that its contract or its submitter gave. */
function reasonOf({ effect: { why } }: Approval): string {
  return typeof why === 'string' ? why : 'It was asked for.';
}

function isOpen({ status }: Approval): boolean {
  return status === 'pending' || status === 'granted';
}

function DecisionFacts({ approval }: { readonly approval: Approval }) {
  const { kind, requestedBy, createdAt, expiresAt, decidedBy, decidedAt, reason, assurance, jobId, usedAt } = approval;
  const open = isOpen(approval);
  return (
    <div style={{ marginBottom: '1rem' }}>
      <KeyValue
        facts={{
          'Requested by': requestedBy,
          Requested: <Time at={createdAt} />,
          [open ? 'Ends' : 'Would have ended']: (
            <>
              <Time at={expiresAt} /> {open && <>({<Ago at={expiresAt} />})</>}
            </>
          ),
          'Decided by': decidedBy,
          Decided: decidedAt && <Time at={decidedAt} />,
          Reason: reason,
          'Proof of personhood': assurance && `given (${assurance})`,
          Used: usedAt && <Time at={usedAt} />,
          Job: jobId && (
            <Link href={`${approvalWords[kind].jobs}/${jobId}`}>
              {usedAt ? 'the job that used it' : 'the job that waits for it'}
            </Link>
          ),
        }}
      />
    </div>
  );
}
