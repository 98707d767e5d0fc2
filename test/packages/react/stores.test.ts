import { createClient } from '@proofline/client';
import { useJob, useStream } from '@proofline/react';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type LiveJob, openJobStore } from '#packages/react/src/job-store.ts';
import { type LiveStream, openStreamStore } from '#packages/react/src/stream-store.ts';
import { until } from '#test/helpers/processes.ts';
import {
  event,
  json,
  openEvents,
  problem,
  type ScriptedServer,
  scriptedServer,
} from '#test/packages/scripted-server.ts';

const clientOf = (server: ScriptedServer) => createClient({ url: server.url, key: 'sk-1', backoff: 1 });

const done = { id: 'job-1', state: 'succeeded', error: null, result: { url: 'y' } };

test('a job is followed while it is shown: state, progress of each key, and at its end the result', async () => {
  await using server = await scriptedServer(({ path, before }, response) => {
    if (!path.endsWith('/events')) return json(response, 200, done);
    openEvents(response);
    if (before === 0) {
      event(response, 'queued', 'e.1');
      event(response, 'started', 'e.2');
      event(response, 'progress', null, { percent: 10 });
      return;
    }
    event(response, 'waiting', 'e.3');
    event(response, 'succeeded', 'e.4');
  });
  const store = openJobStore(clientOf(server), 'job-1');
  expect(store.get()).toMatchObject({ state: undefined, isLive: false });
  const seen: LiveJob[] = [];
  const leave = store.subscribe(() => void seen.push(store.get()));
  await until(() => store.get().progress !== undefined);
  expect(store.get()).toEqual({
    state: 'running',
    progress: { percent: 10 },
    progressByKey: { progress: { percent: 10 } },
    result: null,
    error: null,
    job: null,
    isLive: true,
  });
  // nobody looks: the stream ends, and a later look goes on behind it
  leave();
  store.subscribe(() => void seen.push(store.get()));
  await until(() => store.get().job !== null);
  expect(store.get()).toMatchObject({ state: 'succeeded', result: { url: 'y' }, job: done, isLive: false });
  expect(seen.map(({ state }) => state)).toContain('waiting');
  const streams = server.requests.filter(({ path }) => path.endsWith('/events'));
  expect(streams.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e.2']);
});

test('a snapshot takes the place of what cannot be replayed, and a failed job shows why', async () => {
  const error = { code: 'no_image', message: 'There is none.' };
  await using server = await scriptedServer(({ path }, response) => {
    if (!path.endsWith('/events')) return json(response, 200, { ...done, state: 'failed', result: null, error });
    openEvents(response);
    event(response, 'reset', 'f.7', { reason: 'epoch', snapshot: { state: 'running', error: null } });
    return event(response, 'failed', 'f.8');
  });
  const store = openJobStore(clientOf(server), 'job-1');
  const states: unknown[] = [];
  store.subscribe(() => void states.push(store.get().state));
  await until(() => store.get().job !== null);
  expect(states).toContain('running');
  expect(store.get()).toMatchObject({ state: 'failed', result: null, error });
});

test('error: a job that cannot be followed says why', async () => {
  await using server = await scriptedServer((_, response) => problem(response, 404, 'not_found', 'no such job'));
  const store = openJobStore(clientOf(server), 'job-1');
  store.subscribe(() => {});
  await until(() => store.get().error !== null);
  expect(store.get()).toMatchObject({ error: { code: 'not_found', message: 'no such job' }, isLive: false });
});

test('a stream keeps its newest events, begins anew at a reset, and says why it ended', async () => {
  await using server = await scriptedServer(({ before }, response) => {
    if (before > 0) return problem(response, 403, 'forbidden', 'no more');
    openEvents(response);
    for (let n = 1; n <= 5; n += 1) event(response, 'changed', `e.${n}`, { n });
    event(response, 'reset', 'e.6', {});
    for (let n = 7; n <= 10; n += 1) event(response, 'changed', `e.${n}`, { n });
    return void response.end();
  });
  const store = openStreamStore(clientOf(server), '/v1/jobs/events', 3);
  const seen: LiveStream[] = [];
  store.subscribe(() => void seen.push(store.get()));
  await until(() => store.get().error !== null);
  expect(seen.map(({ events }) => events.length)).toContain(3);
  expect(seen.find(({ last }) => last?.type === 'reset')?.events).toHaveLength(1);
  expect(store.get()).toMatchObject({
    events: [{ id: 'e.8' }, { id: 'e.9' }, { id: 'e.10' }],
    last: { id: 'e.10' },
    error: { code: 'forbidden', message: 'no more' },
    isLive: false,
  });
});

test('a page that a server renders shows what is known before the first event, and asks nothing', () => {
  const client = createClient({ url: 'http://127.0.0.1:1', key: 'k' });
  const Page = () => {
    const job = useJob(client, 'job-1');
    const none = useJob(client, null);
    const stream = useStream(client, '/v1/jobs/events');
    const silent = useStream(client, null);
    return createElement('p', null, JSON.stringify([job.state, none.state, stream.events, silent.events]));
  };
  expect(renderToString(createElement(Page))).toBe('<p>[null,null,[],[]]</p>');
});
