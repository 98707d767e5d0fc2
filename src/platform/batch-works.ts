import { imageWork } from './batches/image-work.ts';
import type { PlatformWork } from './work.ts';

/** What a line of a batch can ask for; a route's work is added by naming it here. */
export const batchWorks: readonly PlatformWork<any, any>[] = [imageWork];

/** A work, and the members that a body gets from the path. */
export interface FoundWork {
  readonly work: PlatformWork<any, any>;
  readonly fromPath: Readonly<Record<string, string>>;
}

/** A url as a batch names it, below `/api/v2`: without `/v1` or `/api/v2` before it; null for another. */
export function pathOf(url: string): string | null {
  return /^(?:\/v1|\/api\/v2)(\/[^?#]*)$/.exec(url)?.[1] ?? null;
}

/** The work of a path, by its own name or an alias; null where batches know none. */
export function findWork(path: string, works: readonly PlatformWork<any, any>[] = batchWorks): FoundWork | null {
  for (const work of works) {
    for (const name of [work.path, ...work.aliases]) {
      const fromPath = membersOf(name, path);
      if (fromPath) return { work, fromPath };
    }
  }
  return null;
}

/** `/personas/{id}/video` gives `id`. */
function membersOf(name: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [name.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const members: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const member = /^\{(\w+)\}$/.exec(part)?.[1];
    const value = given[index] ?? '';
    if (member !== undefined && value !== '') members[member] = value;
    else if (part !== value) return null;
  }
  return members;
}
