import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Answer } from '#console/api/client.ts';
import { callKey, useCall } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';

export type Flow = Answer<'GET /v1/flows/{id}'>;

const terminal = ['succeeded', 'failed', 'cancelled'];
const types = ['queued', 'unfolded', 'node', 'progress', 'redriven', ...terminal];
/** Milliseconds between two reads at least: a node may have a hundred thousand jobs. */
const READ_MS = 400;

/** A flow as it is now: read again whenever its stream tells of a node. */
export function useFlow(id: string) {
  const client = useQueryClient();
  const input = { path: { id } };
  const flow = useCall('GET /v1/flows/{id}', input);
  const isDue = useRef(false);
  const readAgain = () => {
    if (isDue.current) return;
    isDue.current = true;
    setTimeout(() => {
      isDue.current = false;
      void client.invalidateQueries({ queryKey: callKey('GET /v1/flows/{id}', input) });
    }, READ_MS);
  };
  const isOver = flow.data !== undefined && terminal.includes(flow.data.state);
  const connection = useStream(flow.data && !isOver ? flow.data.events : null, {
    types,
    // its history may hold an end that a redrive took back: the flow itself says when it is over
    onEvent: readAgain,
  });
  return { flow, isOver, connection };
}
