import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Ago, Time } from '#console/ui/time.tsx';
import type { Schedule } from './schedule.ts';
import { ownZone, zoneTime } from './zone-time.ts';

/** Its next ten times, in its own zone and in the reader's. */
export function NextPanel({ schedule: { next, paused, zone } }: { readonly schedule: Schedule }) {
  return (
    <Panel title="Next runs" flush>
      <DataTable
        label="Next runs"
        rows={next}
        keyOf={(at) => at}
        empty={
          <Empty title={paused ? 'It is paused' : 'No time comes any more'}>
            {paused ? 'It goes on with its next time once it is resumed.' : 'Change its rule, or delete it.'}
          </Empty>
        }
        columns={[
          { title: `In ${zone}`, cell: (at) => zoneTime(at, zone) },
          { title: `Your time (${ownZone})`, from: 'md', cell: (at) => <Time at={at} /> },
          { title: 'From now', number: true, width: '1%', cell: (at) => <Ago at={at} /> },
        ]}
      />
    </Panel>
  );
}
