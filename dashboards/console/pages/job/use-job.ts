import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Answer } from '#console/api/client.ts';
import type { StreamEvent } from '#console/api/events.ts';
import { callKey, useCall } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';

export type Job = Answer<'GET /v1/jobs/{id}'>;
export type Timeline = Answer<'GET /v1/jobs/{id}/timeline'>;

const terminal = ['succeeded', 'failed', 'cancelled'];
const types = [
  'queued',
  'awaiting_approval',
  'started',
  'progress',
  'retrying',
  'released',
  'redriven',
  'reprioritised',
  'waiting',
  'signalled',
  'replaced',
  'unfolded',
  'node',
  ...terminal,
];
/** Key of the progress that says that a step was kept. */
const stepKey = 'step';
/** Milliseconds between two reads of the steps at least: a job may keep thousands in a second. */
const STEPS_MS = 1_000;

/** A job and what happened to it, as it happens; and how far it is, by what it tells of itself. */
export function useJob(id: string) {
  const client = useQueryClient();
  const input = { path: { id } };
  const job = useCall('GET /v1/jobs/{id}', input);
  const timeline = useCall('GET /v1/jobs/{id}/timeline', input);
  const [progress, setProgress] = useState<ReadonlyMap<string, unknown>>(new Map());
  const isReading = useRef(false);
  const readAgain = () => {
    if (isReading.current) return;
    isReading.current = true;
    // what comes in one go is read once
    queueMicrotask(() => {
      isReading.current = false;
      void client.invalidateQueries({ queryKey: callKey('GET /v1/jobs/{id}', input) });
      void client.invalidateQueries({ queryKey: callKey('GET /v1/jobs/{id}/timeline', input) });
    });
  };
  const isStepsDue = useRef(false);
  const readSteps = () => {
    if (isStepsDue.current) return;
    isStepsDue.current = true;
    setTimeout(() => {
      isStepsDue.current = false;
      void client.invalidateQueries({ queryKey: callKey('GET /v1/jobs/{id}/timeline', input) });
    }, STEPS_MS);
  };
  const isNews = (event: StreamEvent) => numberOf(event) > (job.data?.events ?? 0);
  const isOver = job.data !== undefined && terminal.includes(job.data.state);
  const connection = useStream(job.data && !isOver ? `/v1/jobs/${id}/events` : null, {
    types,
    last: terminal,
    isNews,
    onEvent: (event) => {
      if (event.type === 'progress' && event.key === stepKey) readSteps();
      else if (event.type === 'progress') setProgress((before) => new Map(before).set(event.key ?? '', event.data));
      // the history comes first, and is known
      else if (isNews(event)) readAgain();
    },
  });
  useEffect(() => {
    // of steps the stream tells by progress alone, which it does not repeat: what was kept before it opened is read here
    if (connection === 'live')
      void client.invalidateQueries({ queryKey: callKey('GET /v1/jobs/{id}/timeline', { path: { id } }) });
  }, [client, connection, id]);
  return { job, timeline, progress, isOver, connection };
}

/** The number of an event among the job's: `epoch.number`; without one everything is to be read again. */
function numberOf({ id }: StreamEvent): number {
  return id === null ? Number.POSITIVE_INFINITY : Number(id.split('.').at(-1));
}
