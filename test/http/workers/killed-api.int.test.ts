import { expect, test } from 'vitest';
import { freePort } from '#src/system/embedded/ports.ts';
import { startChild } from '#test/helpers/child.ts';
import { fence, type Handed, remoteApi, type TestWorker } from './remote.ts';

const WORKERS = 1_000;
const JOBS = 120;

test(`an API process is killed with ${WORKERS} polls open: workers go on at another, no job is lost and none is done twice`, {
  timeout: 240_000,
}, async () => {
  await using api = await remoteApi({
    LEASE_MS: '20000',
    RATE_STANDARD_PER_MINUTE: '1000000',
    RATE_STANDARD_PER_DAY: '1000000',
  });
  const port = await freePort();
  const env = { ...api.env, PORT: String(port), METRICS_PORT: '0' };
  await using dying = await startChild(new URL('../../chaos/api.ts', import.meta.url), env);
  const { headers } = await api.key({ scopes: ['jobs.work'] });
  const workers: TestWorker[] = [];
  for (let n = 0; n < WORKERS; n++) workers.push(await api.worker(undefined, 2));

  /** A busy machine may say that a server is away, and to come again. */
  const patiently: typeof api.call = async (...request) => {
    for (;;) {
      const answer = await api.call(...request);
      if (answer.statusCode !== 503) return answer;
    }
  };

  let answered = 0;
  const first = Promise.withResolvers<void>();
  const pollDying = async ({ worker }: TestWorker): Promise<Handed[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/workers/${worker}/poll`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ credits: 2, jobs: [] }),
    });
    const { jobs } = (await answer.json()) as { jobs: Handed[] };
    if (jobs.length > 0 && ++answered === 20) first.resolve();
    return jobs;
  };
  const polls = Promise.allSettled(workers.map(pollDying));
  const submitting = Promise.all(Array.from({ length: JOBS }, (_, n) => api.submit(n + 1)));
  await Promise.race([first.promise, polls]);
  dying.kill('SIGKILL');
  const ids = new Set(await submitting);

  const done = new Map<string, number>();
  const end = async (worker: TestWorker, jobs: readonly Handed[]) => {
    if (jobs.length === 0) return;
    const reports = jobs.map((job) => ({ ...fence(job), type: 'succeeded', result: { bytes: 1 } }));
    const { answers } = (await patiently('POST', `/v1/workers/${worker.worker}/report`, { reports })).json() as {
      answers: readonly { status: string }[];
    };
    for (const [index, { status }] of answers.entries())
      if (status === 'accepted') done.set(jobs[index]!.id, (done.get(jobs[index]!.id) ?? 0) + 1);
  };
  const goOn = async (registered: TestWorker, taken: readonly Handed[]) => {
    let worker = registered;
    await end(worker, taken);
    while (done.size < ids.size) {
      const answer = await patiently('POST', `/v1/workers/${worker.worker}/poll`, { credits: 2, jobs: [] });
      if (answer.statusCode === 200) await end(worker, answer.json().jobs);
      // a machine that is busy may lose it its lease
      else if (answer.statusCode === 404) worker = await api.worker(undefined, 2);
      else throw new Error(`expected 200 or 404, got ${answer.statusCode}: ${answer.body}`);
    }
  };
  const outcomes = await polls;
  await Promise.all(
    outcomes.map(async (outcome, n) => await goOn(workers[n]!, outcome.status === 'fulfilled' ? outcome.value : [])),
  );
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
  expect(new Set(done.keys())).toEqual(ids);
  expect([...done.values()].every((times) => times === 1)).toBe(true);
  const states = await Promise.all([...ids].map(async (id) => (await api.job(id)).state));
  expect(new Set(states)).toEqual(new Set(['succeeded']));
});
