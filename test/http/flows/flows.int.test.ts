import { expect, test } from 'vitest';
import { fence } from '#test/http/workers/remote.ts';
import { count, double, flowApi, sum, usual } from './flow-api.ts';

test('a flow fans out over the result of a node, collects in order, and has a result, events and children', async () => {
  await using api = await flowApi();
  const id = await api.flow([sum, double, count], { name: 'doubles', metadata: { shop: 7 } });
  await using _worker = await api.work(usual);
  expect(await api.over(id)).toMatchObject({
    name: 'doubles',
    state: 'succeeded',
    metadata: { shop: 7 },
    result: { sum: { sum: 20 } },
    nodes: [
      { name: 'count', state: 'succeeded', total: 1, depends_on: [] },
      { name: 'double', state: 'succeeded', total: 5, succeeded: 5, for_each: true, depends_on: ['count'] },
      { name: 'sum', state: 'succeeded', depends_on: ['double'] },
    ],
  });
  const { events, children } = (await api.call('GET', `/v1/jobs/${id}/timeline`)).json();
  expect(events.map(({ type, data }: any) => [type, data.node, data.state].filter(Boolean).join(' '))).toEqual([
    'queued',
    'unfolded',
    'node count running',
    'node count succeeded',
    'node double running',
    'node double succeeded',
    'node sum running',
    'node sum succeeded',
    'succeeded',
  ]);
  expect(children).toHaveLength(7);
  expect(children[0]).toMatchObject({ parent_id: id, queue: 'acme.count-up' });
});

test('independent nodes run beside each other; a result says what of them is wanted', async () => {
  await using api = await flowApi();
  const any = (name: string, payload: unknown, more: object = {}) => ({
    name,
    queue: 'acme.take-any',
    payload,
    ...more,
  });
  const nodes = [
    any('left', { a: 1 }),
    any('right', [2, 3]),
    any('both', {
      l: { $from: 'left', path: '/a' },
      r: { $from: 'right', path: '/1' },
      gone: { $from: 'left', path: '/b' },
    }),
    any('last', null, { depends_on: ['both'] }),
  ];
  const id = await api.flow(nodes, { result: { all: [{ $from: 'both' }], kept: 'yes' } });
  await using _worker = await api.work(usual);
  expect(await api.over(id)).toMatchObject({ result: { all: [{ l: 1, r: 3, gone: null }], kept: 'yes' } });
});

test('a fan-out over nothing has ended at once', async () => {
  await using api = await flowApi();
  const id = await api.flow([{ ...count, payload: { to: 0 } }, double, sum]);
  await using _worker = await api.work(usual);
  expect(await api.over(id)).toMatchObject({ state: 'succeeded', result: { sum: { sum: 0 } } });
});

test('a node that fails ends the flow, cancels what runs, and is run again by a redrive which keeps what succeeded', async () => {
  await using api = await flowApi();
  const ran: number[] = [];
  let isBroken = true;
  const works = {
    ...usual,
    'acme.double-number': ({ n }: { n: number }) => {
      ran.push(n);
      if (n === 3 && isBroken) throw new Error('three');
      return { n: 2 * n };
    },
  };
  const slow = { name: 'slow', queue: 'acme.resize-image', payload: { width: 1 } };
  const id = await api.flow([count, double, sum, slow]);
  await using _worker = await api.work(works);
  expect(await api.over(id)).toMatchObject({
    state: 'failed',
    error: { code: 'dependency_failed', details: { node: 'double' } },
  });
  expect(await api.states(id)).toEqual({ count: 'succeeded', double: 'failed', sum: 'skipped', slow: 'cancelled' });
  expect((await api.read(id)).nodes.find(({ name }: any) => name === 'slow')).toMatchObject({ total: 1, cancelled: 1 });
  const { children } = (await api.call('GET', `/v1/jobs/${id}/timeline`)).json();
  expect(children.every(({ finished_at: at }: any) => at !== null)).toBe(true);
  isBroken = false;
  const before = ran.length;
  const kept = children.filter(
    ({ queue, state }: any) => queue === 'acme.double-number' && state === 'succeeded',
  ).length;
  expect((await api.call('POST', `/v1/flows/${id}/redrive`)).statusCode).toBe(200);
  await using _other = await api.work({ 'acme.resize-image': () => ({ bytes: 1 }) });
  expect(await api.over(id)).toMatchObject({ state: 'succeeded', result: { sum: { sum: 20 }, slow: { bytes: 1 } } });
  expect(ran.length - before).toBe(5 - kept);
});

test('a flow goes on where a node may fail, and passes over the nodes behind one that says so', async () => {
  await using api = await flowApi();
  const bad = (name: string, policy: string) => ({ ...count, name, on_failure: policy });
  const behind = (name: string, other: string) => ({
    name,
    queue: 'acme.take-any',
    payload: { got: { $from: other } },
  });
  const id = await api.flow([
    bad('passed', 'continue'),
    bad('dropped', 'skip'),
    behind('after-passed', 'passed'),
    behind('after-dropped', 'dropped'),
    behind('last', 'after-dropped'),
  ]);
  await using _worker = await api.work({
    ...usual,
    'acme.count-up': () => {
      throw new Error('no');
    },
  });
  expect(await api.over(id)).toMatchObject({
    state: 'succeeded',
    result: { 'after-passed': { got: null }, last: null },
  });
  expect(await api.states(id)).toMatchObject({
    passed: 'failed',
    dropped: 'failed',
    'after-passed': 'succeeded',
    'after-dropped': 'skipped',
    last: 'skipped',
  });
});

test('a flow that is cancelled cancels its jobs', async () => {
  await using api = await flowApi();
  const id = await api.flow([count, double, { name: 'idle', queue: 'acme.resize-image', payload: { width: 1 } }]);
  await expect.poll(async () => (await api.read(id)).nodes[1].job_id).not.toBeNull();
  expect((await api.call('DELETE', `/v1/flows/${id}`)).json()).toMatchObject({ state: 'cancelled' });
  const unfinished = async () =>
    (await api.call('GET', `/v1/jobs/${id}/timeline`))
      .json()
      .children.filter(({ finished_at: at }: any) => at === null);
  await expect.poll(unfinished).toEqual([]);
});

test('a node whose queue no worker takes waits, and says so', async () => {
  await using api = await flowApi();
  const id = await api.flow([count]);
  await expect.poll(async () => (await api.read(id)).nodes[0].warning).toContain('No worker takes acme.count-up@1');
  await using _worker = await api.work(usual);
  expect(await api.over(id)).toMatchObject({ state: 'succeeded' });
});

test('a fan-out whose worker left in the middle says so, and a failed one names the job that failed', async () => {
  await using api = await flowApi();
  const id = await api.flow([count, { ...double, on_failure: 'continue' }]);
  let left = 2;
  {
    await using _worker = await api.work({ 'acme.count-up': usual['acme.count-up']! });
    await expect.poll(async () => (await api.read(id)).nodes[1].total).toBe(5);
  }
  const worker = await api.worker([{ name: 'acme.double-number' }], 1);
  const [first] = await worker.take();
  await worker.report({ ...fence(first!), type: 'succeeded', result: { n: 0 } });
  await worker.leave();
  await expect.poll(async () => (await api.read(id)).nodes[1].warning).toContain('No worker takes acme.double-number');
  await using _last = await api.work({
    'acme.double-number': ({ n }) => {
      if (left-- > 0) return { n };
      throw new Error(`no ${n}`);
    },
  });
  const [, node] = (await api.over(id)).nodes;
  expect(node).toMatchObject({ state: 'failed', succeeded: 3, failed: 2, error: { code: 'told_to' } });
  expect((await api.job(node.job_id)).error.message).toBe(node.error.message);
});

test('a payload that does not fit once it is known fails its node, with the reason', async () => {
  await using api = await flowApi();
  const loose = { name: 'loose', queue: 'acme.take-any', payload: 'text' };
  const id = await api.flow([loose, { ...count, payload: { to: { $from: 'loose' } } }]);
  await using _worker = await api.work(usual);
  const flow = await api.over(id);
  expect(flow).toMatchObject({ state: 'failed', nodes: [{}, { state: 'failed', error: { code: 'invalid_payload' } }] });
  expect(flow.error.message).toContain('The payload of acme.count-up does not fit');
});

test('error: what is wrong with a flow is refused with its place before anything runs', async () => {
  await using api = await flowApi();
  const any = { queue: 'acme.take-any', payload: {} };
  const cases = [
    [
      [
        { ...any, name: 'a', depends_on: ['b'] },
        { ...any, name: 'b', depends_on: ['a'] },
      ],
      'a -> b -> a',
    ],
    [[{ ...any, name: 'a', payload: { $from: 'a' } }], 'a -> a'],
    [[{ ...any, name: 'a', depends_on: ['c'] }], 'body.nodes.0.depends_on.0'],
    [
      [
        { ...any, name: 'a' },
        { ...any, name: 'a' },
      ],
      'body.nodes.1.name',
    ],
    [[{ ...any, name: 'a', queue: 'other.take-any' }], 'body.nodes.0.queue'],
    [[{ ...any, name: 'a', queue: 'platform.respond' }], 'body.nodes.0.queue'],
    [[{ ...count, payload: { to: 'x' } }], 'body.nodes.0.payload/to'],
    [[{ ...any, name: 'a', payload: { $item: '' } }], 'body.nodes.0.payload'],
    [[count, { ...double, for_each: { $from: 'count', path: '/lists' } }], 'body.nodes.1.for_each'],
    [[count, { ...double, for_each: { $from: 'count' } }], 'expected an array, got object'],
    [[count, { ...count, name: 'b', payload: { to: { $from: 'count', path: '/list' } } }], 'body.nodes.1.payload/to'],
    [[count, { ...double, payload: { n: { $item: '/x' } } }], 'body.nodes.1.payload/n'],
    [[{ ...any, name: 'Bad Name' }], 'nodes'],
  ] as const;
  for (const [nodes, words] of cases) {
    const answer = await api.call('POST', '/v1/flows', { nodes });
    expect([answer.statusCode >= 400 && answer.statusCode < 500, answer.body]).toEqual([
      true,
      expect.stringContaining(words),
    ]);
  }
  const result = await api.call('POST', '/v1/flows', { nodes: [count], result: { $from: 'none' } });
  expect([result.statusCode, result.body]).toEqual([400, expect.stringContaining('body.result')]);
  expect((await api.call('GET', '/v1/flows')).json()).toEqual({ data: [], next: null });
});

test('a flow is its owner’s alone; a repeated request gets the same, and a list has it', async () => {
  await using api = await flowApi(false);
  const more = { 'idempotency-key': 'once' };
  const [first, second] = [
    await api.call('POST', '/v1/flows', { name: 'one', nodes: [count] }, more),
    await api.call('POST', '/v1/flows', { nodes: [count], name: 'one' }, more),
  ];
  expect([second.json().id, second.headers['idempotency-replayed']]).toEqual([first.json().id, 'true']);
  expect((await api.call('POST', '/v1/flows', { nodes: [count, sum] }, more)).statusCode).toBe(400);
  const { id } = first.json();
  expect((await api.call('GET', '/v1/flows')).json().data).toMatchObject([
    { id, name: 'one', nodes: 1, nodes_ended: 0 },
  ]);
  const found = async (query: string) => (await api.call('GET', `/v1/flows?${query}`)).json().data.length;
  expect([await found('text=ON'), await found(`text=${id}`), await found('text=%25')]).toEqual([1, 1, 0]);
  expect([await found('state=queued'), await found('state=failed')]).toEqual([1, 0]);
  expect((await api.call('GET', '/v1/flows?text=%00')).statusCode).toBe(400);
  const stranger = await api.key({ owner: 'owner-2', scopes: ['jobs.submit'] });
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/redrive'],
  ] as const) {
    const url = `/v1/flows/${first.json().id}${path}`;
    expect((await api.app.inject({ method, url, headers: stranger.headers })).statusCode).toBe(404);
  }
});
