import type { Api } from '#console/api/api.d.ts';

export type Limit = Api['GET /v1/limits']['answer']['data'][number];

/** Kinds of limits with their words. */
export const kindWords: Readonly<Record<Limit['kind'], string>> = {
  queue_depth: 'Unfinished jobs in a queue',
  requests_per_minute: 'Requests in a minute',
  requests_per_day: 'Requests in a day',
  schedules: 'Schedules',
};

/** Scopes with their words. */
export const scopeWords: Readonly<Record<Limit['scope'], string>> = {
  key: 'A key',
  owner: 'An owner',
  plan: 'A tier',
  default: 'Every caller',
};

/** Words for whom a limit is. */
export function whoseOf({ scope, subject }: Pick<Limit, 'scope' | 'subject'>): string {
  return scope === 'default' ? scopeWords.default : `${scopeWords[scope].replace(/^An? /, '')} ${subject}`;
}
