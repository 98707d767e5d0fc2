import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { agreed } from '#packages/worker-conformance/src/protocol/messages.ts';
import { faultOf, reportFault } from '#packages/worker-conformance/src/protocol/misfit.ts';
import { bodySchemas } from '#packages/worker-conformance/src/protocol/schemas.ts';
import { listen } from '#packages/worker-conformance/src/server/http.ts';
import { openWorld } from '#packages/worker-conformance/src/server/world.ts';
import { testApi } from '#test/http/api.ts';

/* What the kit takes and what it answers are held against the document of the API. */

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, any>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, any>> };
}

const uuid = '018f0000-0000-4000-8000-000000000000';
const fence = { job: uuid, attempt: 1, token: uuid };
const submit = { ...fence, type: 'submit', name: 'a', after: 0, queue: 'acme.do-task', payload: 1 };

async function readDocument(): Promise<Document> {
  await using api = await testApi();
  return (await api.app.inject('/v1/openapi.json')).json();
}

/** A schema with what it refers to in its place, and without words for people. */
function bare({ components }: Document, value: any): any {
  if (Array.isArray(value)) return value.map((one) => bare({ components } as Document, one));
  if (typeof value !== 'object' || value === null) return value;
  const name = typeof value.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined;
  if (name !== undefined) return bare({ components } as Document, components.schemas[name]);
  const isWords = (key: string, inner: unknown) =>
    ['title', 'description', '$id', 'examples', 'default'].includes(key) &&
    (typeof inner !== 'object' || Array.isArray(inner));
  const kept = Object.entries(value).filter(([key, inner]) => !isWords(key, inner));
  const plain = Object.fromEntries(kept.map(([key, inner]) => [key, bare({ components } as Document, inner)]));
  return Array.isArray(plain['required']) ? { ...plain, required: plain['required'].map(String).toSorted() } : plain;
}

const bodies = {
  register: '/v1/workers',
  poll: '/v1/workers/{worker}/poll',
  report: '/v1/workers/{worker}/report',
} as const;

test('the kit takes of a worker what the API takes, member by member', async () => {
  const document = await readDocument();
  for (const [kind, path] of Object.entries(bodies)) {
    const own = bodySchemas[kind as keyof typeof bodies];
    const { schema } = document.paths[path]!['post'].requestBody.content['application/json'];
    expect(bare(document, own), kind).toEqual(bare(document, schema));
  }
});

test('what the kit answers fits what the API answers', async () => {
  const document = await readDocument();
  const world = openWorld({ leaseMs: 60_000, beatMs: 10, clockMs: 0 });
  const server = await listen(world, () => {});
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const names = {
    register: 'RegisteredWorker',
    poll: 'PolledJobs',
    report: 'ReportAnswers',
    contract: 'QueueContract',
  };
  const ask = async (method: string, path: string, name: string, body: unknown, status = 200) => {
    const headers = { authorization: `Bearer ${agreed.key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) });
    const said = await answer.json();
    expect(answer.status).toBe(status);
    const check = ajv.compile(bare(document, document.components.schemas[name]));
    expect([check(said), check.errors]).toEqual([true, null]);
    return said as any;
  };
  const contract = { title: 'Tries', payload: { type: 'object' }, result: {} };
  await ask('PUT', `/v1/queues/${agreed.queue}`, names.contract, { version: 1, contract }, 201);
  const queues = [{ name: agreed.queue, versions: [1] }];
  const { worker } = await ask('POST', '/v1/workers', names.register, { queues, capacity: 2 }, 201);
  const steps = [{ name: 'one', kind: 'step', after: 0, value: 1 }] as const;
  const refused = { status: 'refused', code: 'invalid_result', message: 'It does not fit.', path: '/value' } as const;
  const job = world.submit({ do: 'x' }, { steps, answer: ({ type }) => (type === 'failed' ? refused : undefined) });
  const poll = async (jobs: readonly object[]) =>
    await ask('POST', `/v1/workers/${worker}/poll`, names.poll, { credits: 1, jobs });
  const { jobs } = await poll([]);
  const own = { job: job.id, attempt: jobs[0].attempt, token: jobs[0].token };
  const effect = { ...own, type: 'effect_intended', name: 'send', request: 1 };
  const reports = [
    { ...own, type: 'step', name: 'two', after: 1, value: {} },
    effect,
    { ...own, type: 'effect_done', name: 'send', outcome: 2 },
    { ...effect, request: 2 },
    { ...own, type: 'submit', name: 'child', after: 2, queue: agreed.queue, payload: {} },
    { ...own, type: 'step', name: '', after: 3, value: 1 },
    7,
    { ...own, type: 'failed', error: { message: 'no' } },
    { ...fence, type: 'released' },
  ];
  const { answers } = await ask('POST', `/v1/workers/${worker}/report`, names.report, { reports });
  expect(answers.map(({ status }: { status: string }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'accepted'),
    'refused',
    'refused',
    'refused',
    'stale',
  ]);
  expect(answers[5]).toEqual({
    status: 'refused',
    code: 'invalid_request',
    message: 'report.name: expected at least 1 characters, got "".',
    path: '/name',
  });
  await ask('POST', `/v1/workers/${worker}/report`, 'Problem', { reports: [] }, 400);
  world.cancel(job);
  const { stop } = await poll([{ id: job.id, attempt: own.attempt }]);
  expect(stop).toEqual([{ id: job.id, attempt: own.attempt, reason: 'cancelled' }]);
  await ask('POST', `/v1/workers/${uuid}/poll`, 'Problem', { credits: 1, jobs: [] }, 404);
  await ask('POST', `/v1/workers/${worker}/poll`, 'Problem', { credits: -1, jobs: [] }, 400);
  expect(world.violations).toEqual([
    'report: report.name: expected at least 1 characters, got "".',
    'report: report: expected one of the kinds of the protocol, got 7.',
    'report: reports: expected at least 1 items, got [].',
    'poll: credits: expected at least 0, got -1.',
  ]);
  world.close();
  await server.down();
});

test.each([
  [{ ...fence, type: 'dance' }, 'report: expected one of the kinds of the protocol', ''],
  [{ ...fence, type: 'step', name: 'a', after: 0 }, 'report: expected a member value', '/value'],
  [
    { ...fence, type: 'step', name: '', after: 0, value: 1 },
    'report.name: expected at least 1 characters, got ""',
    '/name',
  ],
  [{ ...fence, type: 'released', why: 1 }, 'report.why: expected no such member of report, got 1', '/why'],
  [{ ...fence, job: 'x', type: 'released' }, 'report.job: expected a uuid, got "x"', '/job'],
  [{ ...fence, type: 'failed', error: 'no' }, 'report.error: expected object, got "no"', '/error'],
  [
    { ...fence, type: 'suspended', after: 0, on: { kind: 'sleep', name: 'a', until: 'soon' } },
    'report.on.until: expected a date-time, got "soon"',
    '/on/until',
  ],
  [{ ...fence, type: 'progress', data: 1, 'a/b': 1 }, 'report.a/b: expected no such member of report, got 1', '/a~1b'],
  [{ ...submit, delay: 'soon' }, 'report.delay: expected a text that fits', '/delay'],
  [{ ...submit, delay: -1 }, 'report.delay: expected at least 0, got -1', '/delay'],
  [{ ...submit, delay: {} }, 'report.delay: expected one of the kinds of the protocol', '/delay'],
])('error: a report that does not fit is said with its place: %j', (report, said, path) => {
  expect(reportFault(report)).toEqual({ message: expect.stringContaining(said), path });
});

test('a report that fits is none that is wrong, and a list is looked at as a list alone', () => {
  expect(reportFault({ ...submit, delay: '1.5h' })).toBeNull();
  expect(reportFault({ ...submit, delay: 5 })).toBeNull();
  expect(faultOf('report', { reports: [7] })).toBeNull();
  expect(faultOf('report', { reports: [] })).toBe('reports: expected at least 1 items, got []');
});
