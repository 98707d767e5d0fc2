import { useState } from 'react';
import { type CallInput, call } from '#console/api/client.ts';
import { useStream } from '#console/api/use-stream.ts';
import type { StressAnswer } from './scenarios.ts';

type Body = CallInput<'POST /v1/portfolio/stress'>['body'];

/** One scenario that is done, as the job tells it. */
export interface Step {
  readonly scenario: number;
  readonly of: number;
  readonly net_gex: number;
  readonly hedged_pnl: number;
}

export interface Stress {
  readonly job: { readonly id: string; readonly events: string } | null;
  readonly steps: readonly Step[];
  readonly answer: StressAnswer | null;
  readonly error: Error | null;
  readonly isRunning: boolean;
  readonly run: (body: Body) => void;
  readonly cancel: () => void;
}

interface State {
  readonly job: (Stress['job'] & { readonly key: string; readonly body: Body }) | null;
  readonly steps: readonly Step[];
  readonly answer: StressAnswer | null;
  readonly error: Error | null;
  readonly isRunning: boolean;
}

const idle: State = { job: null, steps: [], answer: null, error: null, isRunning: false };
const ends = ['succeeded', 'failed', 'cancelled'];

/**
 * Stress tests as jobs: accepted at once, reported scenario by scenario, and requested again under the same key when
 * the job has ended, which answers with its result or with why there is none.
 */
export function useStress(): Stress {
  const [state, setState] = useState<State>(idle);
  const fail = (reason: unknown) =>
    setState((before) => ({
      ...before,
      error: reason instanceof Error ? reason : new Error(String(reason)),
      isRunning: false,
    }));
  const ask = async (body: Body, key: string) => {
    const headers = { 'idempotency-key': key, prefer: 'respond-async' };
    const answer = await call('POST /v1/portfolio/stress', { body, headers });
    if ('data' in answer) setState((before) => ({ ...before, answer, isRunning: false }));
    else setState((before) => ({ ...before, job: { id: answer.id, events: answer.links.events, key, body } }));
  };
  const run = (body: Body) => {
    setState({ ...idle, isRunning: true });
    ask(body, crypto.randomUUID()).catch(fail);
  };
  const { job, isRunning } = state;
  useStream(isRunning ? (job?.events ?? null) : null, {
    types: ['progress', ...ends],
    last: ends,
    onEvent: ({ type, data }) => {
      if (type === 'progress')
        setState((before) => ({
          ...before,
          steps: [...before.steps.filter(({ scenario }) => scenario !== (data as Step).scenario), data as Step],
        }));
      if (job && ends.includes(type)) ask(job.body, job.key).catch(fail);
    },
  });
  const cancel = () => {
    if (job) call('DELETE /v1/jobs/{id}', { path: { id: job.id } }).catch(fail);
  };
  return { ...state, run, cancel };
}
