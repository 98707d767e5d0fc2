import { Type } from 'typebox';
import type { StreamDescription } from '#src/http/documents/asyncapi.ts';
import type { Position, StreamKind, StreamSource } from '#src/http/streams/stream-source.ts';
import { lastNumbers } from '#src/jobs/ledger/ledger.ts';
import { type LogLine, lastLines, logChannel, logLevels, MOST_LINES, readLines } from '#src/jobs/log/log-store.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

/** A line of a job's log. */
export const LogLineView = Type.Object(
  {
    id: Type.String({ description: 'Its place in the log: what `after` and a cursor take' }),
    at: Type.String({ format: 'date-time', description: 'Time of the line' }),
    level: Type.Enum([...logLevels], { type: 'string', description: 'Severity of the line' }),
    message: Type.String({ description: 'Text of the line, at most 1,000 characters' }),
    fields: Type.Record(Type.String(), Type.Unsafe<unknown>({}), { description: 'More for machines' }),
    attempt: Type.Integer({ minimum: 0, description: 'The attempt that said it' }),
  },
  { title: 'JobLogLine' },
);

const logStreams = perContext((context): StreamKind => {
  const positions = async (jobs: readonly string[]): Promise<ReadonlyMap<string, Position>> => {
    // the states first: what a job says before it ends is there once it has ended
    const states = await lastNumbers(context, jobs);
    const { epoch, numbers } = await lastLines(context, jobs);
    return new Map(
      jobs.flatMap((job, index) => {
        const state = states.get(job)?.state;
        return state === undefined ? [] : [[job, { epoch, n: numbers[index] ?? 0, ended: isTerminal(state) }] as const];
      }),
    );
  };
  return { name: 'log', positions, ends: () => false };
});

/** The stream of a job's log lines. Its caller has checked that the client may see the job. */
export function jobLogStream(context: Context, job: string): StreamSource {
  const kind = logStreams(context);
  return {
    channel: logChannel(context.config, job),
    kind,
    key: job,
    replay: async (after, limit) =>
      (await readLines(context, job, after, limit)).map((line) => ({
        n: numberOf(line),
        type: 'log',
        at: line.at,
        data: line,
      })),
    snapshot: async () => {
      const position = (await kind.positions([job])).get(job);
      return position ? { ...position, data: { data: await readLines(context, job, 0, MOST_LINES) } } : null;
    },
  };
}

/** The number in the id of a line. */
function numberOf({ id }: LogLine): number {
  return Number(id.slice(id.lastIndexOf('.') + 1));
}

/** Description of that stream for `/v1/asyncapi.json`. */
export const logStreamDescription: StreamDescription = {
  name: 'log',
  title: 'Log of a job while it runs',
  description:
    'The kept lines, then each as it is written. `reset` carries the kept lines where older ones are gone. Closed some seconds after the job has ended.',
  sse: '/v1/jobs/{id}/logs/events',
  websocket: null,
  parameters: { id: 'The job' },
  events: { log: { summary: 'A line', data: LogLineView } },
};
