import type { StreamEvent, StreamState } from '#console/api/events.ts';
import { eventWords } from '#console/pages/missions/parts/event-words.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Live } from '#console/ui/states/live.tsx';
import { Time } from '#console/ui/time.tsx';

/** Everything that happened to a mission: the chain of events that its receipt seals, and what came after. */
export function EventsPanel({
  events,
  state,
}: {
  readonly events: readonly StreamEvent[];
  readonly state: StreamState;
}) {
  return (
    <Panel title="What happened" aside={<Live state={state} />} flush>
      <DataTable
        label="What happened"
        rows={events}
        keyOf={({ id, at }) => id ?? at}
        empty={<Empty title="Nothing was heard yet" />}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
          {
            title: 'What',
            cell: ({ type, data }) => (
              <>
                {stepOf(data) !== '' && <strong className="mono">{stepOf(data)} </strong>}
                {eventWords[type] ?? type}
              </>
            ),
          },
          {
            title: 'As the receipt has it',
            from: 'lg',
            cell: ({ type }) => <span className="mono quiet">{type}</span>,
          },
        ]}
      />
    </Panel>
  );
}

function stepOf(data: unknown): string {
  const { step } = Object(data) as { readonly step?: unknown };
  return typeof step === 'string' ? step : '';
}
