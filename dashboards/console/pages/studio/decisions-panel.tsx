import { Link } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import { ApprovalRows } from '#console/pages/studio/approvals/approval-rows.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';

/** Approvals that wait for a person's decision. */
export function DecisionsPanel() {
  const pending = useCall('GET /api/studio/v1/approvals', { query: { status: 'pending', limit: 6 } });
  return (
    <Panel title="Waits for a decision" aside={<Link href="/studio/approvals">All approvals</Link>} flush>
      <Answered query={pending} what="what waits for a decision">
        {({ approvals }) =>
          approvals.length === 0 ? (
            <Empty title="Nothing waits for a decision">A plan asks for one before anything runs.</Empty>
          ) : (
            <ApprovalRows approvals={approvals} />
          )
        }
      </Answered>
    </Panel>
  );
}
