import { useSearchParams } from 'wouter';
import { useSession } from '#console/api/session.ts';

/** Stands for the schedules of all owners, as in the API. */
export const EVERY_OWNER = '*';

/** Owner in the address whose schedules an operator looks at; undefined for one's own. Setting it adds nothing to the history. */
export function useOwner(): [string | undefined, (owner: string) => void] {
  const { owner: self } = useSession();
  const [search, setSearch] = useSearchParams();
  const owner = search.get('owner') ?? self;
  const change = (wanted: string) => {
    setSearch(wanted === '' || wanted === self ? {} : { owner: wanted }, { replace: true });
  };
  return [owner === self ? undefined : owner, change];
}
