import { useSearchParams } from 'wouter';
import type { Filter } from './use-jobs.ts';

const names = ['text', 'owner', 'queue', 'state', 'parent'] as const;

/** The filter in the address, so that it can be kept and sent; setting it adds nothing to the history. */
export function useFilter(): [Filter, (change: Partial<Record<keyof Filter, string | undefined>>) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = Object.fromEntries(names.flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])));
  const change = (changed: Partial<Record<keyof Filter, string | undefined>>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changed)) {
          if (value === undefined || value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return [filter, change];
}
