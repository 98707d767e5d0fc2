import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { now } from '#bench/lib/clock.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { percentile } from '#bench/lib/statistics.ts';
import { startWorker } from '#bench/lib/system.ts';
import { type Address, startOpenApi } from './open-api.ts';

const MOST_MS = 2_000;
/** Events a second, of one owner, each to both of its endpoints. */
const RATE = 50;
/** Least share of that rate that the load reached, for a figure to count. */
const LEAST_SHARE = 0.95;
/** Minutes of the outage, and steps in which they pass. */
const MINUTES = 60;
const STEPS = 12;

interface Received {
  readonly id: string;
  readonly job: string;
  /** From the event to the receiver, ms. */
  readonly late: number;
}

interface Outage {
  readonly jobs: number;
  readonly missing: number;
  /** Jobs that came under two names of a message. */
  readonly renamed: number;
  /** Messages that came more than once, under one name. */
  readonly repeated: number;
  readonly refused: number;
  readonly seconds: number;
}

/** Time from an event to its receiver, and an hour in which the receiver is away while processes are killed. */
export const notifications: Claim = async (servers, { quick, say }) => {
  const { times, rate } = await latency(servers, quick ? 300 : 6_000);
  const p99 = percentile(times, 0.99);
  say(`  to the receiver: p99 ${figure(p99)} ms at ${figure(rate)} a second`);
  const { jobs, missing, renamed, repeated, refused, seconds } = await outage(servers, quick ? 200 : 2_000);
  say(`  an outage: ${missing} of ${jobs} missing`);
  return {
    title: 'Notifications',
    body: [
      `An API process and a worker of the fleet platform, as they are deployed; a receiver on this machine that answers at once. ${RATE} jobs a second are submitted over HTTP, and two endpoints want \`job.queued\`: ${2 * RATE} messages a second. The time is from the transaction of the event until the receiver has read its message.`,
      table(
        ['messages', 'a second', 'p50 ms', 'p95 ms', 'p99 ms', 'slowest ms'],
        [
          [
            String(times.length),
            figure(rate),
            ...[0.5, 0.95, 0.99, 1].map((share) => figure(percentile(times, share))),
          ],
        ],
      ),
      `Then the receiver answers 503 for an hour, which passes in ${STEPS} steps, while jobs are submitted; half-way the API process and the worker are killed (-9) and started anew. It refused ${figure(refused)} attempts; once it was back, all had come within ${figure(seconds)} s.`,
    ].join('\n\n'),
    verdicts: [
      {
        promise: `from event to receiver within ${MOST_MS / 1_000} s at p99, at ${2 * RATE} messages a second`,
        measured: `${figure(p99)} ms at ${figure(rate)}`,
        held: p99 <= MOST_MS && rate >= 2 * RATE * LEAST_SHARE,
      },
      {
        promise: 'none lost over an hour’s outage with kills, none twice under a new id',
        measured: `${figure(jobs)} events, ${missing} missing, ${renamed} under two ids, ${repeated} repeated under one`,
        held: missing === 0 && renamed === 0,
      },
    ],
  };
};

async function latency(
  servers: Servers,
  count: number,
): Promise<{ readonly times: readonly number[]; readonly rate: number }> {
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(await openReceiver());
  const { env, api, address } = await startOpenApi(servers, { PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  stack.use(api);
  stack.use(await startWorker('platform', env));
  for (const path of ['one', 'two']) await addEndpoint(address, `${receiver.origin}/${path}`);
  // the first ones compile, connect and read the list of endpoints
  await submit(address, 50);
  await until(
    () => receiver.messages.length === 100,
    () => `100 messages, got ${receiver.messages.length}`,
  );
  receiver.messages.length = 0;
  // by the clock, however long an answer takes: a slow one must not lower the rate
  const begun = now();
  const answers: Promise<unknown>[] = [];
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, begun + (n * 1_000) / RATE - now()));
    const answer = submit(address, 1);
    answer.catch(() => {});
    answers.push(answer);
  }
  await Promise.all(answers);
  const rate = (2_000 * count) / (now() - begun);
  await until(
    () => receiver.messages.length >= 2 * count,
    () => `${2 * count} messages, got ${receiver.messages.length}`,
  );
  return { times: receiver.messages.map(({ late }) => late), rate };
}

async function outage(servers: Servers, count: number): Promise<Outage> {
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(await openReceiver());
  const { env, api, address } = await startOpenApi(servers, { PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  let worker = await startWorker('platform', env);
  stack.defer(async () => await worker[Symbol.asyncDispose]());
  const database = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await database.connect();
  stack.defer(() => database.end());
  await addEndpoint(address, `${receiver.origin}/`);
  receiver.state.isClosed = true;
  const submitted: string[] = [];
  let serving = { api, address };
  stack.defer(async () => await serving.api[Symbol.asyncDispose]());
  for (let step = 1; step <= STEPS; step++) {
    submitted.push(...(await submit(serving.address, Math.ceil(count / STEPS))));
    if (step === STEPS / 2) {
      await Promise.all([serving.api[Symbol.asyncDispose](), worker[Symbol.asyncDispose]()]);
      serving = await restart(env);
      worker = await startWorker('platform', env);
    }
    const before = receiver.state.refused;
    await pass(database, MINUTES / STEPS);
    await until(
      () => receiver.state.refused > before,
      () => 'another attempt, got none',
    );
  }
  receiver.state.isClosed = false;
  const back = now();
  const heard = () => new Set(receiver.messages.map(({ job }) => job));
  while (heard().size < submitted.length && now() - back < 120_000) {
    await pass(database, 1);
    await sleep(500);
  }
  const names = new Map<string, Set<string>>();
  for (const { job, id } of receiver.messages) names.set(job, (names.get(job) ?? new Set()).add(id));
  return {
    jobs: submitted.length,
    missing: submitted.filter((job) => !names.has(job)).length,
    renamed: [...names.values()].filter(({ size }) => size > 1).length,
    repeated: receiver.messages.length - names.size,
    refused: receiver.state.refused,
    seconds: (now() - back) / 1_000,
  };
}

/** Another API process on the same database, with a key of its own. */
async function restart(env: Readonly<Record<string, string>>) {
  const api = await startHelper(new URL('../../children/open-api.ts', import.meta.url), env);
  return { api, address: await api.call<Address>('address') };
}

/** Lets minutes pass for deliveries and endpoints, as their rows tell the time. */
async function pass(database: pg.Client, minutes: number): Promise<void> {
  for (const statement of [
    `update webhook_deliveries set next_at = next_at - $1 * interval '1 minute', give_up_at = give_up_at - $1 * interval '1 minute'
     where state = 'pending'`,
    `update webhook_endpoints set not_before = not_before - $1 * interval '1 minute', failing_since = failing_since - $1 * interval '1 minute'`,
  ])
    await database.query(statement, [minutes]);
}

/** Answers at once, or 503 while it is away. */
async function openReceiver() {
  const messages: Received[] = [];
  const state = { isClosed: false, refused: 0 };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const at = Date.now();
    if (state.isClosed) state.refused++;
    else {
      const { timestamp, data } = JSON.parse(body) as { timestamp: string; data: { id: string } };
      messages.push({ id: String(request.headers['webhook-id']), job: data.id, late: at - Date.parse(timestamp) });
    }
    response.writeHead(state.isClosed ? 503 : 204).end();
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    state,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function call<T>({ url, key }: Address, path: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'respond-async' };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`expected ${path} to be taken, got ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function addEndpoint(address: Address, url: string): Promise<void> {
  await call(address, '/v1/webhook-endpoints', { url, events: ['job.queued'] });
}

/** Submits jobs that no worker takes; answers their ids. */
async function submit(address: Address, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const path = '/v1/queues/bench.do-nothing/jobs';
    ids.push((await call<{ id: string }>(address, path, { payload: { text: 'tells' } })).id);
  }
  return ids;
}

/** @throws after two minutes */
async function until(holds: () => boolean, wanted: () => string): Promise<void> {
  for (const deadline = now() + 120_000; !holds(); await sleep(20))
    if (now() > deadline) throw new Error(`expected ${wanted()} within two minutes.`);
}
