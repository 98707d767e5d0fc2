import { setTimeout as sleep } from 'node:timers/promises';
import { answerCalls, notify } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { inFlight } from '#bench/lib/flight.ts';
import { tickStream } from '#bench/load/tick-stream.ts';
import { payload, TrivialPayload, trivial } from '#bench/load/trivial.ts';
import { createKey } from '#src/access/keys/keys.ts';
import { buildApp } from '#src/api/app.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { openStreams } from '#src/http/streams/open-streams.ts';
import { streamSse } from '#src/http/streams/sse.ts';
import { prepareWebSocket, streamWebSocket } from '#src/http/streams/websocket.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';

/** An API process: the real one, with a route that takes trivial jobs and a stream of ticks. */
const config = loadConfig();
const context = await openContext(config, 'api');
startSweep(context, [trivial.name]);
startRelay(context);
const hub = openStreams(context);
const app = await buildApp(context, { hub });
const ticks = tickStream(context);
const principal = { owner: 'bench' };

app.post('/bench/jobs', { schema: { body: TrivialPayload } }, async (request, reply) => {
  const { job } = await submit(context, trivial, {
    principal: principalOf(request),
    payload: request.body as typeof payload,
  });
  return await reply.code(202).send({ id: job.id });
});
const open = { access: 'public', unlimited: true, stream: true } as const;
app.get('/bench/ticks', { config: open }, (request, reply) => streamSse(hub, request, reply, ticks));
app.route({
  method: 'GET',
  url: '/ws/bench/ticks',
  config: open,
  preHandler: (request) => prepareWebSocket(hub, request, ticks),
  handler: async () => {},
  wsHandler: streamWebSocket,
});

const url = await app.listen({ port: 0, host: '127.0.0.1' });
const { secret } = await createKey(context, {
  owner: 'bench',
  name: 'bench',
  scopes: ['studio.brief', 'studio.plan'],
  tier: 'high',
});

answerCalls({
  address: () => ({ port: Number(new URL(url).port), key: secret }),
  add: async ({ count, width }: { count: number; width: number }) => {
    const from = now();
    await inFlight(count, width, () => submit(context, trivial, { principal, payload }));
    return { from, to: now() };
  },
  hold: async (count: number) => {
    const jobs = Array.from({ length: count }, () =>
      submit(context, trivial, { principal, payload: { ...payload, hold: true } }),
    );
    return (await Promise.all(jobs)).map(({ job }) => job.id);
  },
  generate,
  followers: () => hub.size(),
});

interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
  /** Interval of the jobs that are reported to a follower. */
  readonly sampleEvery: number;
}

/**
 * Open loop: jobs are due at a fixed rate whatever becomes of those before; what is late counts from when it was due.
 */
async function generate({ perSecond, seconds, sampleEvery }: Rate): Promise<{ submitted: number; lateMs: number }> {
  const from = now();
  const total = Math.round(perSecond * seconds);
  const pending: Promise<unknown>[] = [];
  let lateMs = 0;
  for (let index = 0; index < total; ) {
    const due = Math.min(total, Math.floor(((now() - from) / 1_000) * perSecond) + 1);
    for (; index < due; index++) {
      const dueAt = from + (index / perSecond) * 1_000;
      lateMs = Math.max(lateMs, now() - dueAt);
      const isSampled = index % sampleEvery === 0;
      const submitted = submit(context, trivial, { principal, payload });
      pending.push(isSampled ? submitted.then(({ job }) => notify({ id: job.id, dueAt })) : submitted);
    }
    await sleep(1);
  }
  await Promise.all(pending);
  return { submitted: total, lateMs };
}
