import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '#console/api/client.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { Icon } from '#console/ui/icon.tsx';
import type { Queue } from './use-operations.ts';

interface Props {
  readonly queue: Queue;
  readonly onDone: (queue: Queue) => void;
}

export function PauseQueue({ queue: { name, depth }, onDone }: Props) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmButton
      label="Pause"
      compact
      name={`Pause ${name}`}
      question={`Pause ${name}?`}
      icon={<Icon name="pause" size={13} />}
      act={async () => {
        onDone(await call('POST /v1/queues/{name}/pause', { path: { name }, body: reason === '' ? {} : { reason } }));
        setReason('');
      }}
    >
      <p>
        No job of this queue is started until an operator resumes it. {runningWords(depth.running)} New ones are
        accepted and wait: {depth.queued.toLocaleString()} wait now.
      </p>
      <TextInput
        label="Why (optional)"
        description="For operators who find the queue paused"
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </ConfirmButton>
  );
}

export function ResumeQueue({ queue: { name, depth, paused }, onDone }: Props) {
  return (
    <ConfirmButton
      label="Resume"
      compact
      name={`Resume ${name}`}
      question={`Resume ${name}?`}
      icon={<Icon name="play" size={13} />}
      act={async () => onDone(await call('POST /v1/queues/{name}/resume', { path: { name } }))}
    >
      <p>
        {paused?.by} paused it{paused?.reason === null ? '.' : `: “${paused?.reason}”.`} Its workers start jobs again at
        once; {depth.queued.toLocaleString()} wait.
      </p>
    </ConfirmButton>
  );
}

function runningWords(running: number): string {
  if (running === 0) return 'None runs now.';
  return running === 1 ? 'The one that runs goes on.' : `The ${running.toLocaleString()} that run go on.`;
}
