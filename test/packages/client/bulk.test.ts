import { type BulkAnswer, type BulkJob, createClient } from '@proofline/client';
import { expect, test } from 'vitest';
import { problem, type Received, type ScriptedServer, scriptedServer } from '#test/packages/scripted-server.ts';

const clientOf = (server: ScriptedServer) => createClient({ url: server.url, key: 'sk-1', backoff: 1 });

interface Line {
  readonly queue: string;
  readonly payload: { readonly n: number };
  readonly idempotency_key: string;
}

const linesOf = ({ text }: Received): readonly Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Answers as the server does: an id for each line, but an error for a negative number. */
function answersTo(request: Received): string {
  return linesOf(request)
    .map(({ payload: { n } }, index) =>
      n < 0
        ? { index, error: { code: 'invalid_payload', message: `expected n above 0, got ${n}` } }
        : { index, id: `job-${n}`, created: true },
    )
    .map((answer) => `${JSON.stringify(answer)}\n`)
    .join('');
}

async function all(answers: AsyncIterable<BulkAnswer>): Promise<readonly BulkAnswer[]> {
  const list: BulkAnswer[] = [];
  for await (const answer of answers) list.push(answer);
  return list;
}

const numbered = (from: number, to: number): BulkJob[] =>
  Array.from({ length: to - from }, (_, at) => ({ queue: 'acme.count', payload: { n: from + at } }));

test('jobs go in slices, and are answered in their order, each with its place in the whole', async () => {
  await using server = await scriptedServer((request, response) => void response.end(answersTo(request)));
  const jobs = numbered(0, 25);
  jobs[12] = { queue: 'acme.count', payload: { n: -1 }, idempotencyKey: 'mine', delay: '1s' };
  const answers = await all(clientOf(server).bulk(jobs, { slice: 10 }));
  expect(answers.map(({ index }) => index)).toEqual(Array.from({ length: 25 }, (_, index) => index));
  expect(answers[12]).toEqual({
    index: 12,
    error: { code: 'invalid_payload', message: 'expected n above 0, got -1' },
  });
  expect(answers[24]).toEqual({ index: 24, id: 'job-24', created: true });
  expect(server.requests.map((request) => linesOf(request).length)).toEqual([10, 10, 5]);
  expect(server.requests[0]).toMatchObject({
    path: '/v1/jobs/bulk',
    headers: { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' },
  });
  expect(linesOf(server.requests[1]!)[2]).toEqual({
    queue: 'acme.count',
    payload: { n: -1 },
    idempotency_key: 'mine',
    delay_ms: 1_000,
  });
  const keys = server.requests.flatMap(linesOf).map((line) => line.idempotency_key);
  expect(new Set(keys).size).toBe(25);
});

test('a slice whose answer is cut in the middle is sent again with the same keys, and answered once', async () => {
  await using server = await scriptedServer((request, response) => {
    const answer = answersTo(request);
    if (request.before > 0) return void response.end(answer);
    response.writeHead(200, { 'content-length': String(answer.length) });
    return void response.write(answer.slice(0, 50), () => response.destroy());
  });
  const answers = await all(clientOf(server).bulk(numbered(0, 5)));
  expect(answers.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  expect(server.requests).toHaveLength(2);
  expect(server.requests[1]!.text).toBe(server.requests[0]!.text);
});

test('jobs may come one by one, and no more are read than are asked for', async () => {
  await using server = await scriptedServer((request, response) => void response.end(answersTo(request)));
  let read = 0;
  async function* jobs() {
    for (const job of numbered(0, 100)) {
      read += 1;
      yield job;
    }
  }
  for await (const answer of clientOf(server).bulk(jobs(), { slice: 10 })) if (answer.index === 19) break;
  expect(read).toBeLessThan(35);
  expect(server.requests).toHaveLength(2);
});

test('a slice that is too large for the server goes in halves, in the same order', async () => {
  await using server = await scriptedServer((request, response) =>
    linesOf(request).length > 3
      ? problem(response, 413, 'payload_too_large', 'expected at most 3')
      : void response.end(answersTo(request)),
  );
  const answers = await all(clientOf(server).bulk(numbered(0, 10)));
  expect(answers).toEqual(Array.from({ length: 10 }, (_, n) => ({ index: n, id: `job-${n}`, created: true })));
  expect(server.requests.map((request) => linesOf(request).length)).toEqual([10, 5, 2, 3, 5, 2, 3]);
});

test('all or nothing is one request, whatever its slices would be', async () => {
  await using server = await scriptedServer((request, response) => void response.end(answersTo(request)));
  await all(clientOf(server).bulk(numbered(0, 30), { atomic: true, slice: 10 }));
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/jobs/bulk?atomic=true']);
  await expect(all(clientOf(server).bulk(numbered(0, 10_001), { atomic: true }))).rejects.toThrow(
    'expected at most 10000 jobs in a bulk that is all or nothing, got more.',
  );
  expect(server.requests).toHaveLength(1);
});

test('error: a job that is too large alone, a lost line and a wrong slice are told', async () => {
  await using server = await scriptedServer(({ text, ...request }, response) =>
    text.includes('"n":7')
      ? problem(response, 413, 'payload_too_large', 'expected a smaller job')
      : void response.end(
          answersTo({ text, ...request })
            .split('\n')
            .slice(1)
            .join('\n'),
        ),
  );
  await expect(all(clientOf(server).bulk(numbered(7, 8)))).rejects.toMatchObject({ code: 'payload_too_large' });
  await expect(all(clientOf(server).bulk(numbered(0, 3)))).rejects.toMatchObject({
    code: 'unreadable_answer',
    message: 'expected 3 answers to a bulk, got 2.',
  });
  for (const slice of [0, 10_001, 1.5])
    await expect(all(clientOf(server).bulk([], { slice }))).rejects.toThrow(/expected a slice of 1 to 10000 jobs/);
});
