import { useQueryClient } from '@tanstack/react-query';
import type { Answer } from '#console/api/client.ts';
import { callKey, useCall } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';

type Log = Answer<'GET /v1/jobs/{id}/logs'>;
export type Line = Log['data'][number];

/** Lines that are shown; the service keeps no more. */
const most = 500;

/** Reads the log of a job, and follows it until the job ends. */
export function useLog(id: string, isOver: boolean) {
  const client = useQueryClient();
  const input = { path: { id }, query: { limit: most } };
  const key = callKey('GET /v1/jobs/{id}/logs', input);
  const log = useCall('GET /v1/jobs/{id}/logs', input, { staleTime: 0 });
  useStream(isOver ? null : `/v1/jobs/${id}/logs/events`, {
    types: ['log'],
    onEvent: ({ type, data }) => {
      if (type !== 'log') {
        void client.invalidateQueries({ queryKey: key });
        return;
      }
      const line = data as Line;
      client.setQueryData<Log>(key, (before) =>
        before && !before.data.some((known) => known.id === line.id)
          ? { ...before, data: [...before.data.slice(1 - most), line] }
          : before,
      );
    },
  });
  return log;
}
