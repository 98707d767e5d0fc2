import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogLine } from '#src/jobs/log/log-store.ts';
import { keepLines, lastLines, readLines } from '#src/jobs/log/log-store.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { type Submission, submit } from '#src/jobs/submit/submit.ts';
import { until } from '#test/helpers/processes.ts';
import { handlers, trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { openSse } from '#test/http/streams.ts';
import { type Fleet, startFleet } from '#workers/run/fleet.ts';

interface Page {
  readonly data: readonly LogLine[];
  readonly next_cursor: string | null;
}

let api: TestApi;
let url: string;
let fleet: Fleet;
let headers: Record<string, string>;
beforeAll(async () => {
  api = await testApi({ DRAIN_DEADLINE_MS: '300', JOB_LOG_LINES: '1000' });
  url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  headers = (await api.key({ owner: 'owner-1' })).headers;
  const module = new URL('../../helpers/trial.ts', import.meta.url);
  fleet = await startFleet(api.context, { name: 'trial', handlers, module, concurrency: 5 });
});
afterAll(async () => {
  await fleet.drain();
  await api[Symbol.asyncDispose]();
});

/** A job that has ended. */
const run = async (payload: Submission<typeof trial>['payload'], owner = 'owner-1') => {
  const { id } = (await submit(api.context, trial, { principal: { owner }, payload })).job;
  await until(async () => isTerminal((await readJob(api.context, id))?.state ?? ''));
  return id;
};

const read = async (id: string, query = '') => {
  const response = await api.app.inject({ url: `/v1/jobs/${id}/logs${query}`, headers });
  expect(response.statusCode).toBe(200);
  return response.json<Page>();
};

/** The log once its last line is this one. */
const readTo = async (id: string, message: string, query = '?limit=500') => {
  await until(async () => (await read(id, query)).data.at(-1)?.message === message);
  return (await read(id, query)).data;
};

test('a job’s log tells of each attempt that did not go well; a job with nothing to tell has none', async () => {
  const quiet = await run({ do: 'succeed' });
  const id = await run({ do: 'fail', until: 1 });
  const lines = await readTo(id, 'attempt succeeded');
  expect(lines.map(({ attempt, level, message }) => [attempt, level, message])).toEqual([
    [1, 'info', 'attempt started'],
    [1, 'error', 'attempt failed'],
    [1, 'info', 'another attempt follows'],
    [2, 'info', 'attempt started'],
    [2, 'info', 'attempt succeeded'],
  ]);
  expect(lines[0]?.fields).toMatchObject({ worker: expect.any(String), pid: process.pid });
  expect(lines[1]?.fields).toMatchObject({ code: 'unavailable', message: 'told to fail', failures: 1, of: 3 });
  expect((await read(quiet)).data).toEqual([]);

  const refused = await run({ do: 'refuse' });
  expect((await readTo(refused, 'given up')).map(({ message }) => message)).toEqual([
    'attempt started',
    'attempt failed',
    'given up',
  ]);
});

test('who follows a log gets what is kept, then what is said, and the end with that of the job', async () => {
  const { id } = (await submit(api.context, trial, { principal: { owner: 'owner-1' }, payload: { do: 'wait' } })).job;
  await until(async () => (await readJob(api.context, id))?.state === 'running');
  const stream = await openSse(`${url}/v1/jobs/${id}/logs/events`, headers);
  const line = (text: string) =>
    JSON.stringify({ at: new Date().toISOString(), level: 'info', message: text, fields: {}, attempt: 1 });
  await keepLines(api.context, id, [line('first'), line('second')]);
  const told: LogLine[] = [];
  for await (const { event, id: cursor, data } of stream.events) {
    const { data: said } = JSON.parse(data) as { data: LogLine };
    expect([event, cursor]).toEqual(['log', said.id]);
    told.push(said);
    if (said.message === 'second') break;
  }
  stream.close();
  expect(told).toEqual((await read(id)).data);
  await api.app.inject({ method: 'DELETE', url: `/v1/jobs/${id}`, headers });
  await readTo(id, 'attempt stopped');
  const rest = await openSse(`${url}/v1/jobs/${id}/logs/events`, { ...headers, 'last-event-id': told[0]?.id ?? '' });
  const messages = (await Array.fromAsync(rest.events)).map(({ data }) => (JSON.parse(data) as { data: LogLine }).data);
  expect(messages.map(({ message }) => message)).toEqual(['second', 'attempt started', 'attempt stopped']);
  const over = await openSse(`${url}/v1/jobs/${id}/logs/events`, {
    ...headers,
    'last-event-id': messages.at(-1)?.id ?? '',
  });
  expect(over.response.status).toBe(204);
});

test('the newest lines of a job are kept, cut where they are long, and without keys', async () => {
  const key = `sk-platform-${'a'.repeat(49)}`;
  const id = await run({ do: 'say', times: 700, text: `${key} ${'x'.repeat(5_000)}` });
  await until(async () => (await read(id, '?limit=500')).data.at(-1)?.fields['n'] === 700);
  const all = (await read(id, '?limit=500')).data;
  expect(all).toHaveLength(500);
  expect(all[0]?.message).toMatch(/^sk-platform-\[removed\] x+… \([\d,]+ characters more\)$/);
  expect(all[0]?.message.length).toBeLessThanOrEqual(1_000);
  const first = await read(id, '?limit=300');
  const second = await read(id, `?limit=300&after=${first.next_cursor}`);
  expect([...first.data, ...second.data]).toEqual(all);
  expect(second.next_cursor).toBeNull();
  // more than is replayed: as a whole
  const late = await openSse(`${url}/v1/jobs/${id}/logs/events`, headers);
  const [event] = await Array.fromAsync(late.events);
  expect(event?.event).toBe('reset');
  expect(JSON.parse(event?.data ?? '')).toMatchObject({ data: { reason: 'too_long', snapshot: { data: all } } });
});

test('Redis keeps the newest lines of a job alone, by their numbers', async () => {
  const job = randomUUID();
  const lines = Array.from({ length: 300 }, (_, n) => JSON.stringify({ at: 'now', message: String(n) }));
  await keepLines(api.context, job, lines);
  await keepLines(api.context, job, lines);
  const kept = await readLines(api.context, job, 0, 600);
  expect(kept).toHaveLength(500);
  expect([kept[0]?.id, kept.at(-1)?.id].map((id) => id?.split('.')[1])).toEqual(['101', '600']);
});

test('of all jobs together a bounded number of lines is kept: those silent for longest lose theirs, whole', async () => {
  const jobs = Array.from({ length: 12 }, () => randomUUID());
  const lines = Array.from({ length: 100 }, (_, n) => JSON.stringify({ at: 'now', message: String(n) }));
  for (const job of jobs) await keepLines(api.context, job, lines);
  const counts = await Promise.all(jobs.map(async (job) => (await readLines(api.context, job, 0, 500)).length));
  expect(counts).toEqual([0, 0, ...jobs.slice(2).map(() => 100)]);
  expect((await lastLines(api.context, jobs.slice(0, 3))).numbers).toEqual([0, 0, 100]);
});

test('error: the log of another’s job does not exist, and a cursor that does not fit is refused', async () => {
  const id = await run({ do: 'succeed' }, 'owner-2');
  const ask = async (path: string) => (await api.app.inject({ url: `/v1/jobs/${path}`, headers })).statusCode;
  expect(await ask(`${id}/logs`)).toBe(404);
  expect(await ask(`${id}/logs/events`)).toBe(404);
  expect(await ask(`${await run({ do: 'succeed' })}/logs?after=nonsense`)).toBe(400);
});
