import { useCall } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { kindWords } from './limit.ts';

/** Limits that hold for the visitor now. */
export function OwnLimitsPanel() {
  const limits = useCall('GET /v1/limits/mine', {});
  return (
    <Panel title="Yours" flush>
      <Answered query={limits} what="limits">
        {({ data }) => (
          <DataTable
            label="Your limits"
            rows={data}
            keyOf={({ kind }) => kind}
            empty={null}
            columns={[
              { title: 'Limit', cell: ({ kind }) => kindWords[kind] },
              { title: 'Most', number: true, cell: ({ most }) => most.toLocaleString() },
              { title: 'Set for', from: 'md', cell: ({ limit_of: of }) => of },
            ]}
          />
        )}
      </Answered>
    </Panel>
  );
}
