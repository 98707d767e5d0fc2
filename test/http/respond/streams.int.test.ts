import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { jobChannel } from '#src/jobs/model/channels.ts';
import { readEpoch } from '#src/jobs/model/epoch.ts';
import { waitForJob } from '#src/jobs/read/wait-for-job.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { openContext } from '#src/system/context.ts';
import { openBus } from '#src/system/redis/bus.ts';
import { openSubscriber } from '#src/system/redis/redis.ts';
import { testConfig } from '#test/helpers/config.ts';
import { trial } from '#test/helpers/trial.ts';
import { testApi } from '#test/http/api.ts';
import { openWebSocket } from '#test/http/streams.ts';

test('after its connection was killed the bus hears every channel again, and says that something may be missing', async () => {
  await using trialConfig = await testConfig();
  await using context = await openContext(trialConfig.config, 'test');
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  const redis = openSubscriber(context.config, () => {});
  const id = await redis.client('ID');
  const bus = openBus(redis);
  const heard: string[] = [];
  const returned = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const channels = ['a', 'b'].map((name) => `${context.config.REDIS_PREFIX}:${name}`);
  const subscriptions = channels.map((channel) =>
    bus.subscribe(channel, {
      message: (text) => void (heard.push(text) === 4 && arrived.resolve()),
      resubscribed: returned.resolve,
    }),
  );
  await Promise.all(subscriptions.map(({ ready }) => ready));
  for (const channel of channels) await context.redis.publish(channel, 'before');
  await context.redis.client('KILL', 'ID', id);
  await returned.promise;
  for (const channel of channels) await context.redis.publish(channel, 'after');
  await arrived.promise;
  expect(heard).toEqual(['before', 'before', 'after', 'after']);
  for (const subscription of subscriptions) subscription.close();
  for (let left = 1; left > 0; ) {
    const counts = await context.redis.pubsub('NUMSUB', ...channels);
    left = Number(counts[1]) + Number(counts[3]);
  }
  redis.disconnect();
});

test.for(['sse', 'websocket'])(
  'a %s client that stops reading is dropped; its process does not keep what it has not read',
  async (transport) => {
    await using api = await testApi({ STREAM_CLIENT_BYTES: '100000' });
    const { context, hub } = api;
    const { secret, headers } = await api.key();
    const { job } = await submit(context, trial, { principal: { owner: 'owner-1' }, payload: { do: 'succeed' } });
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const address = api.app.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const slow =
      transport === 'sse'
        ? connect(port, '127.0.0.1')
        : openWebSocket(`http://127.0.0.1:${port}/ws/v1/jobs/${job.id}`, headers).socket;
    if ('write' in slow) {
      slow.write(`GET /v1/jobs/${job.id}/events HTTP/1.1\r\nhost: x\r\nx-api-key: ${secret}\r\n\r\n`);
      // its first event, not the headers alone: what comes while a client still catches up is read from the ledger
      for (let text = ''; !text.includes('\nid: '); ) text += String((await once(slow, 'data'))[0]);
    } else {
      await once(slow, 'message');
    }
    slow.pause();
    const epoch = await readEpoch(context);
    const dropped = async () => (await context.metrics.proofline_stream_clients_dropped_total.get()).values.length;
    // a relay's part, played by hand: more than the kernel's buffers and ours can take
    for (let n = 2; (await dropped()) === 0 && n < 2_000; n++) {
      const message = JSON.stringify({
        epoch,
        n,
        type: 'retrying',
        at: new Date().toISOString(),
        data: { text: 'x'.repeat(20_000) },
      });
      await context.redis.publish(jobChannel(context.config, job.id), message);
    }
    expect(await dropped()).toBe(1);
    expect(await context.metrics.proofline_stream_subscribers.get()).toMatchObject({
      values: [{ value: 0, labels: { transport } }],
    });
    slow.resume();
    if ('write' in slow) slow.destroy();
    // a WebSocket closes with a code that says why; a raw connection with `false`, for no error
    const [how] = await once(slow, 'close');
    expect(how).toBe('write' in slow ? false : 1013);
    await hub.shutdown();
    expect(hub.size()).toBe(0);
  },
);

test.for(['sse', 'websocket'])(
  'a %s client that leaves while its seat is taken leaves nothing behind',
  async (transport) => {
    await using api = await testApi();
    const { context, hub } = api;
    const { secret } = await api.key();
    const { job } = await submit(context, trial, { principal: { owner: 'owner-1' }, payload: { do: 'succeed' } });
    const { port } = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }));
    const { reserve } = hub;
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const slow: typeof reserve = async (...seat) => {
      asked.resolve();
      await gate.promise;
      return await reserve(...seat);
    };
    Object.assign(hub, { reserve: slow });
    const [path, more] =
      transport === 'sse'
        ? [`/v1/jobs/${job.id}/events`, '']
        : [
            `/ws/v1/jobs/${job.id}`,
            'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
          ];
    const client = connect(Number(port), '127.0.0.1');
    client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${secret}\r\n${more}\r\n`);
    await asked.promise;
    client.destroy();
    await once(client, 'close');
    // a connection that is to be upgraded is not read: nobody hears that it was closed
    for (let open = 1; open > 0 && transport === 'sse'; ) {
      await new Promise((resolve) => setImmediate(resolve));
      open = await new Promise<number>((resolve) => api.app.server.getConnections((_error, count) => resolve(count)));
    }
    gate.resolve();
    for (let heard = 1; heard > 0; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const [, count] = await context.redis.pubsub('NUMSUB', jobChannel(context.config, job.id));
      heard = Number(count);
    }
    expect(hub.size()).toBe(0);
  },
);

test('Postgres that goes away during a wait does not take the acceptance back', async () => {
  await using api = await testApi();
  const { job } = await submit(api.context, trial, { principal: { owner: 'owner-1' }, payload: { do: 'succeed' } });
  const away = { maybeOne: () => Promise.reject(new Error('Connection terminated')) } as never;
  expect(await waitForJob({ ...api.context, db: away }, api.hub, job.id, 20)).toBeNull();
});
