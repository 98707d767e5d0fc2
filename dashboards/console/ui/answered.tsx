import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Fault } from './fault.tsx';
import { Loading } from './loading.tsx';

interface Props<T> {
  readonly query: UseQueryResult<T>;
  /** What is on its way, for those who hear it. */
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}

/** What was read, once it is there; until then that it comes, or why it does not and the way to try again. */
export function Answered<T>({ query, what, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Fault error={query.error} retry={() => void query.refetch()} />;
  return <Loading what={what} />;
}
