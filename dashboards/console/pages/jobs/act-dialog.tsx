import { Button, Group, Modal, NumberInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '#console/api/api-error.ts';
import { type Answer, call } from '#console/api/client.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import classes from './act-dialog.module.css';
import { type Action, actions, type Chosen, filterOf, jobsText } from './actions.ts';
import { type Filter, type Job } from './use-jobs.ts';

type Preview = Extract<Answer<'POST /v1/jobs/actions'>, { token: string }>;

interface Props {
  readonly request: {
    readonly action: Action;
    readonly chosen: Chosen;
    readonly filter: Filter;
    readonly priority?: number;
  };
  readonly onClose: () => void;
}

const RATE = 500;

/** Shows what exactly an action would be about, and begins it; its job is followed on a page of its own. */
export function ActDialog({ request, onClose }: Props) {
  const { action, chosen, filter, priority } = request;
  const words = actions.find((one) => one.action === action);
  const [, go] = useLocation();
  const [rate, setRate] = useState<number | string>(RATE);
  const name = useId();
  const preview = useQuery<Preview, ApiError>({
    queryKey: ['preview of an action', name],
    queryFn: async () => {
      const body = {
        action,
        filter: filterOf(chosen, filter),
        preview: true as const,
        ...(action === 'reprioritise' && priority !== undefined && { priority }),
      };
      return (await call('POST /v1/jobs/actions', { body })) as Preview;
    },
    // a preview is of one moment: each opening makes its own
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const begin = useMutation<Job, ApiError, string>({
    mutationFn: async (token) => (await call('POST /v1/jobs/actions', { body: { token, rate: Number(rate) } })) as Job,
    onSuccess: ({ id }) => go(`/jobs/${id}`),
  });
  const { data } = preview;
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={data ? `${words?.label ?? action} ${jobsText(data.count)}?` : 'What would be done'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {preview.isPending && <Loading what="the jobs" />}
      {preview.isError && <Fault error={preview.error} />}
      {data && (
        <div className={classes['body']}>
          {data.count === 0 ? (
            <p>None of them can be acted on so: they are in other states by now.</p>
          ) : (
            <>
              <p>
                {words?.consequence}{' '}
                {priority !== undefined && action === 'reprioritise' && `The new one is ${priority}.`}
              </p>
              <p className="quiet">
                Exactly these are acted on, and no job that comes later. One that moves on meanwhile is skipped.
              </p>
              <DataTable
                label="Jobs of the preview"
                rows={data.sample}
                keyOf={({ id }) => id}
                empty={null}
                columns={columns}
              />
              {data.count > data.sample.length && (
                <p className="quiet">and {jobsText(data.count - data.sample.length)} more</p>
              )}
              <NumberInput
                label="Jobs a second, at most"
                min={1}
                max={10_000}
                allowDecimal={false}
                value={rate}
                onChange={setRate}
                className={classes['rate'] ?? ''}
              />
            </>
          )}
        </div>
      )}
      {begin.isError && <Fault error={begin.error} />}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          Leave it
        </Button>
        {data && data.count > 0 && (
          <Button
            color={words?.grave ? 'red.8' : 'indigo'}
            loading={begin.isPending}
            disabled={typeof rate !== 'number'}
            onClick={() => begin.mutate(data.token)}
          >
            {words?.label} {jobsText(data.count)}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

const columns = [
  {
    title: 'Job',
    cell: ({ id, queue, error }: Preview['sample'][number]) => (
      <div className={classes['job']}>
        <span>{queue}</span>
        <span className={classes['sub']}>{error?.message ?? id}</span>
      </div>
    ),
  },
  {
    title: 'State',
    width: '1%',
    cell: ({ state, held }: Preview['sample'][number]) => <StateBadge state={held ? 'held' : state} />,
  },
  {
    title: 'Accepted',
    number: true,
    width: '1%',
    cell: ({ created_at: at }: Preview['sample'][number]) => <Ago at={at} />,
  },
];
