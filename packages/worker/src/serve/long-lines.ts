import type { TalkReport } from '../story/reports.ts';
import type { WorkerLog } from './worker-log.ts';

/** Characters that the server keeps of a line of a job, and of its data as JSON. */
const kept = { message: 1_000, data: 2_000 };

type Line = Extract<TalkReport, { type: 'log' }>;

/** Says once on the log of the worker that a job has said a longer line than is kept. */
export function openLongLines(log: WorkerLog): (line: Line, facts: object) => void {
  let hasSaid = false;
  return ({ message, data }, facts) => {
    if (hasSaid) return;
    const isLong = message.length > kept.message || (data !== undefined && JSON.stringify(data).length > kept.data);
    if (!isLong) return;
    hasSaid = true;
    log.warn(
      `a line of a job is longer than what is kept of it: ${kept.message} characters, and ${kept.data} of its data as JSON; this is said once`,
      { ...facts, message: message.slice(0, 80) },
    );
  };
}
