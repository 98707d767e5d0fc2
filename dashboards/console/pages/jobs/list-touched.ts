import type { Filter, Job } from './use-jobs.ts';

/** Parts of a job that decide whether it is in a list. */
export type Changed = Pick<Job, 'id' | 'owner' | 'queue' | 'state' | 'parent_id'>;

/** A list as it was read: at once, or a page after the other. Undefined where it could not be read. */
export type ReadList =
  | { readonly data: readonly { readonly id: string }[] }
  | { readonly pages: readonly { readonly data: readonly { readonly id: string }[] }[] }
  | undefined;

/**
 * Checks whether a list must be read again after these jobs have changed: it shows one of them, or one may belong into
 * it. A text cannot be compared without the payload, so the rest of the filter decides.
 */
export function isTouched(list: ReadList, filter: Filter, changed: ReadonlyMap<string, Changed>): boolean {
  if (changed.values().some((job) => fits(job, filter))) return true;
  if (list === undefined) return false;
  const pages = 'pages' in list ? list.pages : [list];
  return pages.some(({ data }) => data.some(({ id }) => changed.has(id)));
}

function fits(job: Changed, { owner, queue, state, parent }: Filter): boolean {
  return (
    (owner ?? job.owner) === job.owner &&
    (queue ?? job.queue) === job.queue &&
    (state ?? job.state) === job.state &&
    (parent ?? job.parent_id) === job.parent_id
  );
}
