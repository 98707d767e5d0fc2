import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { inFlight } from '#bench/lib/flight.ts';
import { payload } from '#bench/load/trivial.ts';

/** Submits jobs as lines, many in one request. */
interface Load {
  readonly url: string;
  readonly key: string;
  readonly queue: string;
  readonly count: number;
  /** Jobs of one request. */
  readonly together: number;
  /** Requests in flight. */
  readonly width: number;
}

answerCalls({
  bulk: async ({ url, key, queue, count, together, width }: Load) => {
    const line = `${JSON.stringify({ queue, payload })}\n`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
    const from = now();
    await inFlight(Math.ceil(count / together), width, async (index) => {
      const lines = Math.min(together, count - index * together);
      const answer = await fetch(`${url}/v1/jobs/bulk`, { method: 'POST', headers, body: line.repeat(lines) });
      const text = await answer.text();
      const taken = text.split('\n').filter((one) => one.includes('"created":true')).length;
      if (answer.status !== 200 || taken !== lines)
        throw new Error(`expected ${lines} jobs to be taken, got ${answer.status} and ${taken}: ${text.slice(0, 300)}`);
    });
    return { from, to: now() };
  },
});
