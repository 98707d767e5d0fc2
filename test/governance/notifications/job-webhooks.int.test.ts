import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { admitWork } from '#src/access/quota.ts';
import { startFlows } from '#src/jobs/flows/start-flows.ts';
import { runDue } from '#src/jobs/schedules/run-due.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { fence } from '#test/http/workers/remote.ts';
import { openReceiver } from '#test/studio/receiver.ts';
import { type NotificationWorld, notificationWorld } from './world.ts';

const queue = 'acme.resize-image';

interface Heard extends AsyncDisposable {
  readonly world: NotificationWorld;
  readonly origin: string;
  /** Types and jobs of the messages that came to a path, in order. */
  readonly at: (path: string) => readonly (readonly [type: string, job: string])[];
  /** Ends the next jobs that a worker is handed. */
  readonly end: (count: number) => Promise<void>;
}

async function open(): Promise<Heard> {
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(await openReceiver());
  const world = stack.use(await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin }));
  const all = stack.move();
  return {
    world,
    origin: receiver.origin,
    at: (path) =>
      receiver.messages
        .filter((message) => message.path === path)
        .map(({ raw }) => JSON.parse(raw))
        .map(({ type, data }) => [type, data.id] as const),
    end: async (count) => {
      const worker = await world.worker(undefined, 10);
      for (let done = 0; done < count; ) {
        const { jobs } = await worker.poll(count - done, [], { wait_ms: 200 });
        if (jobs.length > 0)
          await worker.report(...jobs.map((job) => ({ ...fence(job), type: 'succeeded', result: { bytes: 1 } })));
        done += jobs.length;
      }
      await worker.leave();
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test('lines of a bulk have webhooks of their own, all or none and each for itself', async () => {
  await using heard = await open();
  const { world, origin, at } = heard;
  const { id: endpoint } = await world.endpoint({ url: `${origin}/endpoint`, events: ['job.cancelled'] });
  const line = (key: string, more: object) => ({ queue, payload: { width: 1 }, idempotency_key: key, ...more });
  const lines = [
    line('one', { webhook: { url: `${origin}/address` } }),
    line('two', { webhook: { endpoint } }),
    line('three', {}),
  ];
  const post = async (path: string, body: object) => {
    const answer = await world.call('POST', path, body);
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
    return answer.body
      .trim()
      .split('\n')
      .map((text: string) => JSON.parse(text));
  };
  const bad = line('four', { webhook: { url: 'https://10.0.0.1/' } });
  const each = await post('/v1/jobs/bulk', [...lines, bad]);
  expect(each[3]).toMatchObject({ index: 3, error: { code: 'invalid_request' } });
  const whole = await post('/v1/jobs/bulk?atomic=true', [line('five', { webhook: { url: `${origin}/whole` } })]);
  // a repetition adds none
  await post('/v1/jobs/bulk', lines);
  await heard.end(4);
  await expect.poll(() => at('/address')).toEqual([['job.succeeded', each[0].id]]);
  await expect.poll(() => at('/endpoint')).toEqual([['job.succeeded', each[1].id]]);
  await expect.poll(() => at('/whole')).toEqual([['job.succeeded', whole[0].id]]);
});

const LastRow = row(Type.Object({ job: Type.Union([Type.String(), Type.Null()]) }));

test('the jobs of a schedule tell its webhook, by the clock and by hand, as long as it is there', async () => {
  await using heard = await open();
  const { world, origin, at } = heard;
  const { context } = world;
  const body = { queue, payload: { width: 1 }, every_ms: 3_600_000, overlap: 'queue' };
  const put = await world.call('PUT', '/v1/schedules/hourly', { ...body, webhook: { url: `${origin}/hourly` } });
  expect([put.statusCode, put.json().options]).toEqual([201, { webhook: { url: `${origin}/hourly` } }]);
  const { job_id: byHand } = (await world.call('POST', '/v1/schedules/hourly/run')).json();
  const look = async (hours: number) =>
    await runDue(context, admitWork(context), new Date(Date.now() + hours * 3_600_000 + 1_000));
  const last = async () =>
    (await context.db.one(sql.type(LastRow)`select last_job as job from schedules where name = 'hourly'`)).job;
  await look(1);
  const byClock = await last();
  await heard.end(2);
  await expect
    .poll(() => new Set(at('/hourly').map(([type, job]) => `${type} ${job}`)))
    .toEqual(new Set([byHand, byClock].map((job) => `job.succeeded ${job}`)));
  await context.db.query(sql.unsafe`delete from webhook_endpoints`);
  await look(2);
  expect(await last()).not.toBe(byClock);
  const without = await world.call('PUT', '/v1/schedules/hourly', body);
  expect(without.json().options).toEqual({});
});

test('the end of a flow tells its webhook, also the one after it was cancelled and run again', async () => {
  await using heard = await open();
  const { world, origin, at } = heard;
  startFlows(world.context);
  const nodes = [{ name: 'one', queue, payload: { width: 1 } }];
  const { id } = (await world.call('POST', '/v1/flows', { nodes, webhook: { url: `${origin}/flow` } })).json();
  expect((await world.call('DELETE', `/v1/flows/${id}`)).statusCode).toBe(200);
  await expect.poll(() => at('/flow')).toEqual([['flow.cancelled', id]]);
  expect((await world.call('POST', `/v1/flows/${id}/redrive`)).statusCode).toBe(200);
  await heard.end(1);
  await expect
    .poll(() => at('/flow'))
    .toEqual([
      ['flow.cancelled', id],
      ['flow.succeeded', id],
    ]);
});
