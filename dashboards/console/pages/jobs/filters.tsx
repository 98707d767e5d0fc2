import { Button, Select } from '@mantine/core';
import { useSession } from '#console/api/session.ts';
import { useCall } from '#console/api/use-call.ts';
import { SearchField } from '#console/ui/search-field.tsx';
import classes from './filters.module.css';
import type { Filter } from './use-jobs.ts';

const states = ['awaiting_approval', 'queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'] as const;

interface Props {
  readonly filter: Filter;
  readonly onChange: (change: Partial<Record<keyof Filter, string | undefined>>) => void;
}

/** Fields that filter the list of jobs. */
export function Filters({ filter, onChange }: Props) {
  const { operator, owner } = useSession();
  const queues = useCall('GET /v1/queues', {}, { staleTime: Number.POSITIVE_INFINITY });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <search className={classes['filters']}>
      <SearchField
        label="Search"
        placeholder="Id, idempotency key, payload or error"
        value={filter.text ?? ''}
        least={2}
        onTyped={(text) => onChange({ text })}
      />
      <Select
        label="State"
        placeholder="Any"
        clearable
        data={states.map((state) => ({ value: state, label: state.replaceAll('_', ' ') }))}
        value={filter.state ?? null}
        onChange={(state) => onChange({ state: state ?? '' })}
        clearButtonProps={{ 'aria-label': 'Any state' }}
      />
      <Select
        label="Queue"
        placeholder="Any"
        clearable
        searchable
        data={queues.data?.data.map(({ name }) => name) ?? (filter.queue ? [filter.queue] : [])}
        value={filter.queue ?? null}
        onChange={(queue) => onChange({ queue: queue ?? '' })}
        clearButtonProps={{ 'aria-label': 'Any queue' }}
      />
      {operator && (
        <SearchField
          label="Owner"
          placeholder="Any owner"
          value={filter.owner ?? ''}
          least={1}
          onTyped={(wanted) => onChange({ owner: wanted })}
        />
      )}
      {operator && filter.owner !== owner && (
        <Button variant="default" className={classes['clear'] ?? ''} onClick={() => onChange({ owner })}>
          Mine
        </Button>
      )}
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          className={classes['clear'] ?? ''}
          onClick={() => onChange({ text: '', owner: '', queue: '', state: '', parent: '' })}
        >
          Clear
        </Button>
      )}
    </search>
  );
}
