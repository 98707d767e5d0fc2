import Type from 'typebox';
import { expect, test } from 'vitest';
import { jobChannel } from '#src/jobs/model/channels.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { openSubscriber } from '#src/system/redis/redis.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { trial } from '#test/helpers/trial.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { handler } from '#workers/run/processor.ts';

test('of the progress of a fleet that fits its contract is told, and nothing else, by schema and by size', async () => {
  await using system = await testSystem();
  const { context } = system;
  const queue = {
    ...trial,
    progress: Type.Object({ done: Type.Integer({ maximum: 100 }), note: Type.Optional(Type.String()) }),
    maxProgressBytes: 100,
  };
  const goOn = Promise.withResolvers<void>();
  const run = handler(queue, async ({ emit }) => {
    await goOn.promise;
    // each under a key of its own: of one key only the newest is told
    emit({ done: 1 }, 'one');
    emit({ done: 101 }, 'beyond its maximum');
    emit({ done: 'x' } as never, 'of another type');
    emit({ done: 2, note: 'x'.repeat(100) }, 'too large');
    emit({ done: 2, note: 'x'.repeat(60) }, 'two');
  });
  const { job } = await submit(context, queue, { principal: { owner: 'alice' }, payload: { do: 'succeed' } });
  const told: { key: string; data: unknown }[] = [];
  const follower = openSubscriber(context.config, () => {});
  follower.on('message', (_channel: string, text: string) => {
    const message = JSON.parse(text);
    if (message.type === 'progress') told.push({ key: message.key, data: message.data });
  });
  await follower.subscribe(jobChannel(context.config, job.id));
  const module = new URL('../helpers/trial.ts', import.meta.url);
  const fleet = await startFleet(context, { name: 'trial', handlers: [run], module, concurrency: 1, together: 1 });
  goOn.resolve();
  expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded' });
  await until(() => told.some(({ key }) => key === 'two'));
  expect(told).toEqual([
    { key: 'one', data: { done: 1 } },
    { key: 'two', data: { done: 2, note: 'x'.repeat(60) } },
  ]);
  follower.disconnect();
  await fleet.drain();
});
