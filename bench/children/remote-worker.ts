import { createClient } from '@proofline/client';
import { serve } from '@proofline/worker';
import { answerCalls } from '#bench/lib/calls.ts';
import { nothing, openJobs } from '#bench/load/open-jobs.ts';

/** A worker elsewhere: `remote-worker.ts <sdk | socket | raw> <capacity> <url> <key>`. */
const [kind = 'sdk', capacityText = '100', url = '', key = ''] = process.argv.slice(2);
const capacity = Number(capacityText);
const client = createClient({ url, key });
let done = 0;

interface Given {
  readonly id: string;
  readonly attempt: number;
  readonly token: string;
}

/** Polls and reports in turn, as any language can with nothing but HTTP, the jobs of one answer in one report. */
async function workRaw(): Promise<void> {
  const queues = [{ name: nothing.name, versions: [1] }];
  const { worker } = await client.call<{ worker: string }>('POST', '/v1/workers', { body: { queues, capacity } });
  for (;;) {
    const { jobs } = await client.call<{ jobs: readonly Given[] }>('POST', `/v1/workers/${worker}/poll`, {
      body: { credits: capacity, jobs: [] },
    });
    if (jobs.length === 0) continue;
    const reports = jobs.map(({ id, attempt, token }) => ({
      job: id,
      attempt,
      token,
      type: 'succeeded',
      result: { ok: true },
    }));
    const { answers } = await client.call<{ answers: readonly { readonly status: string }[] }>(
      'POST',
      `/v1/workers/${worker}/report`,
      { body: { reports } },
    );
    done += answers.filter(({ status }) => status === 'accepted').length;
  }
}

/** Counts the reports of ends that were accepted, as they pass. */
const counting: typeof fetch = async (target, init) => {
  const answer = await fetch(target, init);
  const body = init?.body;
  if (typeof target !== 'string' || !target.endsWith('/report') || typeof body !== 'string') return answer;
  const ends = body.split('"type":"succeeded"').length - 1;
  if (answer.ok) done += ends;
  return answer;
};

void (
  kind === 'raw'
    ? workRaw()
    : serve(openJobs, {
        url,
        key,
        capacity,
        register: false,
        transport: kind === 'socket' ? 'websocket' : 'http',
        fetch: counting,
      })
).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});

answerCalls({ done: () => done });
