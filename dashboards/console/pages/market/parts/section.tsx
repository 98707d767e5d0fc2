import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Answer, Call, CallInput } from '#console/api/client.ts';
import { callKey, useCall } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { words } from '#src/lib/charts/figures.ts';

/** Calls that answer with figures in an envelope, or with the job that computes them. */
export type SectionCall =
  | 'GET /v1/gex/{symbol}'
  | 'GET /v1/vex/{symbol}'
  | 'GET /v1/cex/{symbol}'
  | 'GET /v1/levels/{symbol}'
  | 'GET /v1/surface/{symbol}'
  | 'GET /v1/charm/{symbol}/schedule'
  | 'GET /v1/hedging-bands/{symbol}';

/** The figures of an answer, with the envelope around them. */
export type Enveloped<K extends Call> = Exclude<Answer<K>, { readonly queue: string }>;
/** The figures alone. */
export type Figures<K extends Call> = NonNullable<(Enveloped<K> & { readonly data: unknown })['data']>;

interface Props<K extends SectionCall> {
  readonly call: K;
  readonly input: CallInput<K>;
  /** Name of the figures, in words. */
  readonly what: string;
  readonly children: (figures: Figures<K>, answer: Enveloped<K>) => ReactNode;
}

/**
 * A part of the page that shows one answer: while it comes, while it is computed, where it fails, and where it says
 * nothing.
 */
export function Section<K extends SectionCall>({ call, input, what, children }: Props<K>) {
  const read = useCall(call, input);
  if (read.isPending) return <Loading what={what} />;
  if (read.isError) return <Fault error={read.error} retry={() => void read.refetch()} />;
  const answer = read.data as Enveloped<K> | { readonly queue: string; readonly links: { readonly events: string } };
  if (typeof answer === 'object' && answer !== null && 'queue' in answer)
    return <Computing events={answer.links.events} what={what} again={callKey(call, input)} />;
  const { data, status } = answer as { readonly data: Figures<K> | null; readonly status: string };
  if (data === null)
    return <Empty title={`No ${what}: ${words(status)}`}>{reasons[status] ?? 'The chain does not tell it.'}</Empty>;
  return children(data, answer);
}

const reasons: Readonly<Record<string, string>> = {
  no_trade_tape: 'This model of dealers needs signed trades. Choose another model above, or give the feed a tape.',
  no_quotes: 'The chain has no two-sided quotes to fit a surface to.',
  no_history: 'Signals are made of what changes, and a chain that was uploaded once does not.',
};

/** A chain that has just been taken in: its figures are computed by a job. */
function Computing({
  events,
  what,
  again,
}: {
  readonly events: string;
  readonly what: string;
  readonly again: readonly unknown[];
}) {
  const client = useQueryClient();
  useStream(events, {
    types: ['succeeded', 'failed', 'cancelled'],
    last: ['succeeded', 'failed', 'cancelled'],
    onEvent: ({ type }) => {
      if (type !== 'heartbeat') void client.invalidateQueries({ queryKey: again });
    },
  });
  return <Loading what={`${what}, which is being computed`} />;
}
