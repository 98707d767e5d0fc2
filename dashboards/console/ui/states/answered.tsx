import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Fault } from './fault.tsx';
import { Loading } from './loading.tsx';

interface Props<T> {
  readonly query: UseQueryResult<T>;
  /** Name of what is loading, for screen readers. */
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}

/** Shows an answer once it is there; until then that it loads, or why it failed and a button to try again. */
export function Answered<T>({ query, what, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Fault error={query.error} retry={() => void query.refetch()} />;
  return <Loading what={what} />;
}
