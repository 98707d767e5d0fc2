import { createClient, type StreamEvent } from '@proofline/client';
import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import {
  cut,
  event,
  openEvents,
  problem,
  type ScriptedServer,
  scriptedServer,
} from '#test/packages/scripted-server.ts';

const jobOf = (server: ScriptedServer) => createClient({ url: server.url, key: 'sk-1', backoff: 1 }).job('job-1');

async function all(events: AsyncIterable<StreamEvent>): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const { type, id } of events) seen.push(id === undefined ? type : `${type} ${id}`);
  return seen;
}

const cursorsOf = ({ requests }: ScriptedServer) => requests.map(({ headers }) => headers['last-event-id']);

test('events are read to the end of the job, and go on behind the last one after every cut', async () => {
  await using server = await scriptedServer(({ before }, response) => {
    openEvents(response);
    if (before === 0) {
      event(response, 'queued', 'e.1');
      event(response, 'started', 'e.2');
      event(response, 'progress', null, { percent: 10 });
      // in the middle of an event
      response.write('id: e.3\nevent: retr', () => cut(response));
    } else if (before === 1) response.end();
    else if (before === 2) cut(response);
    else {
      event(response, 'retrying', 'e.3');
      event(response, 'succeeded', 'e.4');
    }
  });
  expect(await all(jobOf(server).events())).toEqual([
    'queued e.1',
    'started e.2',
    'progress',
    'retrying e.3',
    'succeeded e.4',
  ]);
  expect(cursorsOf(server)).toEqual([undefined, 'e.2', 'e.2', 'e.2']);
  expect(server.requests[0]).toMatchObject({
    path: '/v1/jobs/job-1/events',
    headers: { accept: 'text/event-stream', authorization: 'Bearer sk-1' },
  });
});

test('a stream begins behind a cursor, and one that is over there ends at once', async () => {
  await using server = await scriptedServer((_, response) => void response.writeHead(204).end());
  expect(await all(jobOf(server).events({ after: 'e.9' }))).toEqual([]);
  expect(cursorsOf(server)).toEqual(['e.9']);
});

test('a reset is handed on as it comes, moves the cursor, and ends the stream where its job has ended', async () => {
  await using server = await scriptedServer(({ before }, response) => {
    openEvents(response);
    const snapshot = { id: 'job-1', state: before === 0 ? 'running' : 'failed' };
    event(response, 'reset', `f.${before}`, { reason: 'epoch', snapshot });
    if (before === 0) response.end();
  });
  const seen: StreamEvent[] = [];
  for await (const one of jobOf(server).events({ after: 'e.5' })) seen.push(one);
  expect(seen).toMatchObject([
    { type: 'reset', id: 'f.0', data: { reason: 'epoch', snapshot: { state: 'running' } } },
    { type: 'reset', id: 'f.1', data: { snapshot: { state: 'failed' } } },
  ]);
  expect(cursorsOf(server)).toEqual(['e.5', 'f.0']);
});

test('signs of life are not handed on, and a busy server is asked again', async () => {
  await using server = await scriptedServer(({ before }, response) => {
    if (before === 0) return problem(response, 503, 'unavailable', 'restarting');
    if (before === 1) return problem(response, 429, 'rate_limited', 'slow', { headers: { 'retry-after': '0' } });
    openEvents(response);
    response.write(':\n\n');
    event(response, 'heartbeat', 'e.2');
    if (before === 2) response.end();
    else event(response, 'cancelled', 'e.3');
  });
  expect(await all(jobOf(server).events())).toEqual(['cancelled e.3']);
  expect(cursorsOf(server)).toEqual([undefined, undefined, undefined, 'e.2']);
});

test('the connection is said to be there and to be cut', async () => {
  await using server = await scriptedServer(({ before }, response) => {
    openEvents(response);
    if (before === 0) response.end();
    else event(response, 'succeeded', 'e.1');
  });
  const said: boolean[] = [];
  await all(jobOf(server).events({ onConnection: (isOpen) => void said.push(isOpen) }));
  expect(said).toEqual([true, false, true, false]);
});

test('a reader that leaves closes the connection', async () => {
  let isClosed = false;
  await using server = await scriptedServer((_, response) => {
    response.on('close', () => {
      isClosed = true;
    });
    openEvents(response);
    event(response, 'queued', 'e.1');
  });
  for await (const { type } of jobOf(server).events()) {
    expect(type).toBe('queued');
    break;
  }
  await until(() => isClosed);
});

test('error: a signal ends a stream that is open, and one that waits to connect again', async () => {
  await using server = await scriptedServer(({ before }, response) => {
    if (before === 0) return openEvents(response);
    return problem(response, 503, 'unavailable', 'restarting', { headers: { 'retry-after': '1000' } });
  });
  for (const [index] of [0, 1].entries()) {
    const stop = new AbortController();
    const reading = all(jobOf(server).events({ signal: stop.signal }));
    await until(() => server.requests.length === index + 1);
    stop.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  }
});

test('error: a refusal that stays and a key that is revoked end the stream', async () => {
  await using server = await scriptedServer(({ path }, response) => {
    if (path.includes('job-1')) return problem(response, 404, 'not_found', 'no such job');
    openEvents(response);
    return event(response, 'revoked', null, { reason: 'by its owner' });
  });
  await expect(all(jobOf(server).events())).rejects.toMatchObject({ code: 'not_found', status: 404 });
  const client = createClient({ url: server.url, key: 'sk-1' });
  await expect(all(client.stream('/v1/jobs/events'))).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'The key of this stream was revoked: by its owner.',
  });
  expect(server.requests).toHaveLength(2);
});

test('error: data that are not JSON are an error, not a cut', async () => {
  await using server = await scriptedServer((_, response) => {
    openEvents(response);
    response.write('data: nonsense\n\n');
  });
  await expect(all(jobOf(server).events())).rejects.toMatchObject({ code: 'unreadable_answer' });
});
