import type { CallInput } from '#console/api/client.ts';
import type { Schedule } from '#console/pages/schedules/schedule.ts';
import { ownZone } from '#console/pages/schedules/zone-time.ts';

export type Body = CallInput<'PUT /v1/schedules/{name}'>['body'];

/** A schedule as the form has it. */
export interface Draft {
  readonly name: string;
  readonly queue: string;
  readonly payload: string;
  readonly kind: 'cron' | 'every';
  readonly cron: string;
  readonly zone: string;
  readonly everySeconds: number | string;
  readonly overlap: Schedule['overlap'];
  readonly missed: Schedule['missed'];
  readonly missedWithin: number | string;
  /** Parts that the form does not show, kept as they are. */
  readonly rest: Partial<Body>;
}

export const emptyDraft: Draft = {
  name: '',
  queue: '',
  payload: '{}',
  kind: 'cron',
  cron: '0 7 * * 1-5',
  zone: ownZone,
  everySeconds: 3_600,
  overlap: 'skip',
  missed: 'last',
  missedWithin: 86_400,
  rest: {},
};

export function draftOf(schedule: Schedule): Draft {
  const { name, queue, payload, cron, every_ms: every, zone, overlap, missed, version, options } = schedule;
  return {
    name,
    queue,
    payload: JSON.stringify(payload, null, 2),
    kind: cron === null ? 'every' : 'cron',
    cron: cron ?? emptyDraft.cron,
    zone,
    everySeconds: every === null ? emptyDraft.everySeconds : every / 1_000,
    overlap,
    missed,
    missedWithin: schedule.missed_within_s,
    rest: { ...(options as Partial<Body>), ...(version !== null && { version }) },
  };
}

/** The rule of a draft, as the API takes it. */
export function ruleOf({ kind, cron, zone, everySeconds }: Draft) {
  return kind === 'cron' ? { cron, zone } : { every_ms: Math.round(Number(everySeconds) * 1_000), zone };
}

/** The body of a draft; null where its payload is no JSON. */
export function bodyOf(draft: Draft): Body | null {
  const payload = readJson(draft.payload);
  if (payload === undefined) return null;
  return {
    ...draft.rest,
    queue: draft.queue,
    payload,
    ...ruleOf(draft),
    overlap: draft.overlap,
    missed: draft.missed,
    missed_within_s: Number(draft.missedWithin),
  };
}

/** The value of a text of JSON; undefined for another text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
