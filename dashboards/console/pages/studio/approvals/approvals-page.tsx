import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import type { Approval } from '#console/pages/studio/parts/studio-types.ts';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { ApprovalRows } from './approval-rows.tsx';

const states = ['pending', 'granted', 'used', 'declined', 'expired'] as const;

/** Decisions, those that wait first. */
export function ApprovalsPage() {
  const [state, setState] = useState<Approval['status']>('pending');
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const query = { status: state, limit: 20, ...(cursor !== undefined && { cursor }) };
  const approvals = useCall('GET /api/studio/v1/approvals', { query });
  const show = (value: string) => {
    setState(value as Approval['status']);
    setCursors([]);
  };
  return (
    <Page
      title="Approvals"
      lead={
        <>
          <Link href="/studio">Studio</Link> · A decision lets one exact effect happen, once. A key never decides.
        </>
      }
    >
      <Panel
        title="Approvals"
        aside={<SegmentedControl size="xs" aria-label="State" data={[...states]} value={state} onChange={show} />}
        flush
      >
        <Answered query={approvals} what="approvals">
          {({ approvals: rows, nextCursor }) => (
            <>
              {rows.length === 0 ? (
                <Empty title={state === 'pending' ? 'Nothing waits for a decision' : `None is ${state}`}>
                  A plan or a publication asks for one. <Link href="/studio">Go to the studio</Link>
                </Empty>
              ) : (
                <ApprovalRows approvals={rows} />
              )}
              {(nextCursor !== null || cursors.length > 0) && (
                <Button.Group p="sm">
                  <Button
                    variant="default"
                    disabled={cursors.length === 0}
                    onClick={() => setCursors(cursors.slice(0, -1))}
                  >
                    Newer
                  </Button>
                  <Button
                    variant="default"
                    disabled={nextCursor === null}
                    onClick={() => nextCursor !== null && setCursors([...cursors, nextCursor])}
                  >
                    Older
                  </Button>
                </Button.Group>
              )}
            </>
          )}
        </Answered>
      </Panel>
    </Page>
  );
}
