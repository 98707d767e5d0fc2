import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import type { Approval, Plan } from '#console/pages/studio/parts/studio-types.ts';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import { effectLine, toneOf } from './approval-rows.tsx';
import classes from './carry-out.module.css';
import { DryRun } from './dry-run.tsx';
import { UseApproval } from './use-approval.tsx';

/** The way from a plan to its render: a dry run says exactly what would happen, a person allows that, then it runs. */
export function CarryOut({ plan }: { readonly plan: Plan }) {
  const approvals = useCall('GET /api/studio/v1/approvals', { query: { subject: plan.id, limit: 20 } });
  return (
    <Panel title="Carry it out">
      <Answered query={approvals} what="approvals">
        {({ approvals: all }) => {
          const open = all.filter(
            ({ kind, status }) => kind === 'render' && (status === 'pending' || status === 'granted'),
          );
          return (
            <div className={classes['steps']}>
              {open.length === 0 ? (
                <p className={classes['none']}>
                  No approval of this plan is open. A dry run asks for one: it shows exactly what would happen, and
                  calls no provider.
                </p>
              ) : (
                <ul className={classes['open']}>
                  {open.map((approval) => (
                    <OpenApproval key={approval.id} approval={approval} />
                  ))}
                </ul>
              )}
              <DryRun plan={plan} />
            </div>
          );
        }}
      </Answered>
    </Panel>
  );
}

function OpenApproval({ approval }: { readonly approval: Approval }) {
  const { id, status, expiresAt, jobId, decidedBy } = approval;
  return (
    <li className={classes['approval']}>
      <div className={classes['head']}>
        <StateBadge state={status === 'pending' ? 'waits for a decision' : 'granted'} tone={toneOf(status)} />
        <span className={classes['quiet']}>
          ends <Ago at={expiresAt} />
        </span>
      </div>
      <div>{effectLine(approval)}</div>
      {decidedBy !== null && <div className={classes['quiet']}>by {decidedBy}</div>}
      <Group gap="xs" mt={4}>
        <Button component={Link} href={`/studio/approvals/${id}`} variant={status === 'pending' ? 'filled' : 'default'}>
          {status === 'pending' ? 'Look at it and decide' : 'Look at it'}
        </Button>
        {jobId === null ? (
          <UseApproval approval={approval} />
        ) : (
          <Button component={Link} href={`/studio/jobs/${jobId}`} variant="default">
            The job that waits for it
          </Button>
        )}
      </Group>
    </li>
  );
}
