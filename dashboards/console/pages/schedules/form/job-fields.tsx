import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import { useCall } from '#console/api/use-call.ts';
import { type Draft, readJson } from './draft.ts';
import classes from './edit-page.module.css';

interface Props {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly isNew: boolean;
  /** Sentence of the service about a field of the request. */
  readonly faultOf: (field: string) => string | undefined;
}

/** Name, queue and payload. */
export function JobFields({ draft, change, isNew, faultOf }: Props) {
  const queues = useCall('GET /v1/queues', {}, { staleTime: Number.POSITIVE_INFINITY });
  const isJson = readJson(draft.payload) !== undefined;
  return (
    <div className={classes['fields']}>
      <div className={classes['pair']}>
        <TextInput
          label="Name"
          description="Lower-case letters, digits, dot, hyphen, underscore"
          required
          disabled={!isNew}
          maxLength={100}
          value={draft.name}
          error={faultOf('path.name')}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Autocomplete
          label="Queue"
          description="One of your own"
          required
          data={queues.data?.data.map(({ name }) => name) ?? []}
          value={draft.queue}
          error={faultOf('body.queue')}
          onChange={(queue) => change({ queue })}
        />
      </div>
      <Textarea
        label="Payload"
        description="JSON that fits the payload of the queue’s contract"
        autosize
        minRows={3}
        maxRows={16}
        value={draft.payload}
        error={isJson ? undefined : 'This is not JSON.'}
        onChange={({ currentTarget }) => change({ payload: currentTarget.value })}
        classNames={{ input: 'mono' }}
      />
    </div>
  );
}
