import { Type } from 'typebox';
import type { StreamDescription } from '#src/http/documents/asyncapi.ts';
import type { Position, StreamKind, StreamSource } from '#src/http/streams/stream-source.ts';
import { newEpoch } from '#src/jobs/model/epoch.ts';
import { JobSummaryView } from '#src/jobs/model/job-view.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

/**
 * Milliseconds for which streams of changes count as followed after a process last looked at them: it looks every 15 s.
 */
const FOLLOWED_MS = 45_000;

/** Milliseconds for which the numbers of streams are kept after the last publication or look. */
export const NUMBERS_TTL_MS = 3_600_000;

/** The type of their one event. */
export const changeType = 'job';

/** The name of the stream of an owner's jobs, or of everybody's (null). */
export function changesName(owner: string | null): string {
  return owner === null ? '' : `:${owner}`;
}

export function changesChannel({ REDIS_PREFIX }: Context['config'], name: string): string {
  return `${REDIS_PREFIX}:jobs${name}`;
}

/**
 * Redis keys, of one hash tag: a hash with `epoch` and the last number published on each stream, and one that is there
 * while any stream is followed.
 */
export function changesKeys({ REDIS_PREFIX }: Context['config']) {
  const base = `{${REDIS_PREFIX}-changes}`;
  return { numbers: `${base}:told`, followed: `${base}:followed` };
}

/** The field of that hash with the number of a stream. */
export function numberField(name: string): string {
  return `n${name}`;
}

const changeStreams = perContext(
  (context): StreamKind => ({
    name: 'jobs',
    positions: async (names): Promise<ReadonlyMap<string, Position>> => {
      const { redis, config } = context;
      const { numbers: numbersKey, followed } = changesKeys(config);
      // before the position is read: what happens from here on is published, and goes on from it
      const begun = redis.pipeline().set(followed, '1', 'PX', FOLLOWED_MS).hsetnx(numbersKey, 'epoch', newEpoch());
      for (const [error] of (await begun.pexpire(numbersKey, NUMBERS_TTL_MS).exec()) ?? []) if (error) throw error;
      const [epoch, ...numbers] = await redis.hmget(numbersKey, 'epoch', ...names.map(numberField));
      return new Map(
        names.map((name, index) => [name, { epoch: epoch ?? 'none', n: Number(numbers[index] ?? 0), ended: false }]),
      );
    },
    ends: () => false,
    snapshotFirst: true,
  }),
);

/**
 * The stream of changes among an owner's jobs, or those of all owners (null). Its caller has checked that an operator
 * requests the latter. Nothing is kept of it: a subscriber who has missed something gets `reset`, and reads the list
 * again.
 */
export function changesStream(context: Context, owner: string | null): StreamSource {
  const kind = changeStreams(context);
  const key = changesName(owner);
  return {
    channel: changesChannel(context.config, key),
    kind,
    key,
    replay: async () => [],
    snapshot: async () => {
      const position = (await kind.positions([key])).get(key);
      return position ? { ...position, data: {} } : null;
    },
  };
}

/** Description of that stream for `/v1/asyncapi.json`. */
export const changesStreamDescription: StreamDescription = {
  name: 'jobs',
  title: 'Changes of jobs',
  description:
    'A job whenever it has changed its state, as lists show it: of the caller’s jobs, or of everybody’s for an operator. `snapshot` comes first: read the list then. `reset` comes where something was missed, or where more than some hundreds of jobs change in a second: read the list again.',
  sse: '/v1/jobs/events',
  websocket: '/ws/v1/jobs',
  parameters: {},
  snapshot: Type.Object({}, { description: 'Empty: GET /v1/jobs has the jobs' }),
  events: {
    job: { summary: 'A job as it is now', data: Type.Object(JobSummaryView.properties) },
  },
};
