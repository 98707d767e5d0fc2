import { startConsumer } from '#bench/children/start-peers.ts';
import { type Memory, startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import { slope } from '#bench/lib/statistics.ts';

/** Above this a process would grow by more than 20 MB in a million jobs. */
const MOST_BYTES_A_JOB = 20;

/** Memory of the API and the worker while many jobs pass, after a full collection each time. */
export const memory: Claim = async (servers, { quick, say }) => {
  const steps = 20;
  const each = (quick ? 4_000 : 200_000) / steps;
  const env = await servers.fresh('ours');
  await using api = await startHelper(new URL('../children/api.ts', import.meta.url), env);
  await using worker = await startConsumer(env, 'proofline', 200);
  const samples: { readonly jobs: number; readonly api: Memory; readonly worker: Memory }[] = [];
  for (let step = 1; step <= steps; step++) {
    await api.call('add', { count: each, width: 200 });
    await worker.call('until', step * each);
    samples.push({ jobs: step * each, api: await api.call('memory'), worker: await worker.call('memory') });
  }
  say(`  ${steps * each} jobs`);
  // code is compiled and pools are filled in the first half
  const late = samples.slice(steps / 2);
  const heapSlope = (who: 'api' | 'worker') =>
    slope(late.map((sample) => [sample.jobs, sample[who].heapMb * 2 ** 20] as const));
  const rssSlope = (who: 'api' | 'worker') =>
    slope(late.map((sample) => [sample.jobs, sample[who].rssMb * 2 ** 20] as const));
  const shown = samples.filter((_, index) => [0, 4, 9, 14, 19].includes(index));
  return {
    title: `Memory over ${(steps * each).toLocaleString('en-US')} jobs`,
    body: [
      `After a full collection; growth is the slope of the second half, bytes a job: heap ${figure(heapSlope('api'))} (API), ${figure(heapSlope('worker'))} (worker); RSS ${figure(rssSlope('api'))}, ${figure(rssSlope('worker'))}.`,
      table(
        ['jobs', 'API heap MB', 'API RSS MB', 'worker heap MB', 'worker RSS MB'],
        shown.map((sample) => [
          sample.jobs.toLocaleString('en-US'),
          ...[sample.api.heapMb, sample.api.rssMb, sample.worker.heapMb, sample.worker.rssMb].map(figure),
        ]),
      ),
    ].join('\n\n'),
    verdicts: (['api', 'worker'] as const).map((who) => ({
      promise: `heap of the ${who} is flat (at most ${MOST_BYTES_A_JOB} bytes a job)`,
      measured: `${figure(heapSlope(who))} bytes a job`,
      held: heapSlope(who) <= MOST_BYTES_A_JOB,
    })),
  };
};
