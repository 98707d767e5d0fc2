import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call } from '#console/api/client.ts';
import { callKey, useChange } from '#console/api/use-call.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import type { Schedule } from './schedule.ts';

interface Props {
  readonly schedule: Schedule;
  /** Its owner, where an operator acts on it; undefined for one's own. */
  readonly owner: string | undefined;
}

/** Pauses a schedule, lets it go on, runs it now, deletes it. A run is asked for by its owner alone. */
export function ScheduleActions({ schedule: { name, paused }, owner }: Props) {
  const client = useQueryClient();
  const [, go] = useLocation();
  const query = owner === undefined ? {} : { owner };
  const input = { path: { name }, query };
  const readAgain = async () =>
    await client.invalidateQueries({ queryKey: callKey('GET /v1/schedules/{name}', input) });
  const pause = useChange('POST /v1/schedules/{name}/pause', readAgain);
  const resume = useChange('POST /v1/schedules/{name}/resume', readAgain);
  const turn = paused ? resume : pause;
  return (
    <>
      {turn.isError && <Fault error={turn.error} />}
      <Button
        size="xs"
        variant="default"
        loading={turn.isPending}
        leftSection={<Icon name={paused ? 'play' : 'pause'} size={13} />}
        onClick={() => turn.mutate(input)}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
      {owner === undefined && (
        <ConfirmButton
          label="Run now"
          question="Run it now?"
          icon={<Icon name="play" size={13} />}
          act={async () => go(`/jobs/${(await call('POST /v1/schedules/{name}/run', { path: { name } })).job_id}`)}
        >
          <p>One job is submitted beside its times, whether the run before has ended or not.</p>
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Delete"
        question={`Delete the schedule ${name}?`}
        grave
        act={async () => {
          await call('DELETE /v1/schedules/{name}', input);
          client.removeQueries({ queryKey: callKey('GET /v1/schedules/{name}', input) });
          await client.invalidateQueries({ queryKey: callKey('GET /v1/schedules') });
          go(`/schedules${owner === undefined ? '' : `?${new URLSearchParams({ owner })}`}`);
        }}
      >
        <p>None of its times runs any more, and its history goes. Jobs that it has submitted stay.</p>
      </ConfirmButton>
    </>
  );
}
