import { useState } from 'react';
import { useStream } from '#console/api/use-stream.ts';
import type { StudioJob } from './studio-types.ts';

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly of: number;
}

/** Follows the progress of a job while it runs; null before it reports any. */
export function useProgress({ id, status }: Pick<StudioJob, 'id' | 'status'>): Progress | null {
  const [progress, setProgress] = useState<Progress | null>(null);
  const isUnderWay = status === 'queued' || status === 'running';
  useStream(isUnderWay ? `/v1/jobs/${id}/events` : null, {
    types: ['progress'],
    last: ['succeeded', 'failed', 'cancelled'],
    onEvent: ({ type, data }) => {
      if (type === 'progress') setProgress(data as Progress);
    },
  });
  return progress;
}
