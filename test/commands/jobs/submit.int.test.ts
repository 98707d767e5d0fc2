import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';
import { testFolder } from '#test/helpers/processes.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

const contract = {
  title: 'Resize an image',
  payload: { type: 'object', properties: { width: { type: 'integer', minimum: 1 } }, required: ['width'] },
  result: {},
};

test('queues of a file are registered, and their jobs submitted, once under a key', async () => {
  const { run } = system;
  using folder = testFolder();
  const file = (name: string, value: unknown) => {
    const path = join(folder.path, name);
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
    return path;
  };
  const jobs = file('jobs.json', [{ name: 'acme.resize-image', contract }]);
  const applied = await run(['queues', 'apply', jobs]);
  expect(applied).toEqual({ exit: 0, output: expect.stringMatching(/^acme\.resize-image@1 {2}[0-9a-f]{64}\n$/) });
  expect(await run(['queues', 'apply', jobs])).toEqual(applied);

  const payload = file('payload.json', { width: 8 });
  const submit = async (...more: string[]) => await run(['submit', 'acme.resize-image', payload, '--json', ...more]);
  const [first, again] = [
    await submit('--idempotency-key', 'one', '--priority', '3'),
    await submit('--idempotency-key', 'one', '--priority', '3'),
  ];
  expect(first.exit, first.output).toBe(0);
  // a warning that no worker takes the queue yet may come behind the job
  const jobIn = (output: string) => JSON.parse(output.slice(0, output.lastIndexOf('}') + 1));
  expect([first.exit, jobIn(first.output)]).toMatchObject([
    0,
    { queue: 'acme.resize-image', state: 'queued', priority: 3, payload: { width: 8 } },
  ]);
  expect(jobIn(again.output).id).toBe(jobIn(first.output).id);
  expect(await submit('--wait', '0.1')).toMatchObject({ exit: 3 });

  expect(await run(['submit', 'acme.resize-image', file('wrong.json', { width: 0 })])).toEqual({
    exit: 1,
    output: expect.stringContaining('/width'),
  });
  expect(await run(['submit', 'acme.resize-image', file('no.json', '{')])).toMatchObject({
    exit: 2,
    output: expect.stringContaining('expected JSON'),
  });
  const governed = await submit('--approval', 'It is large.', '--receipt');
  expect(jobIn(governed.output)).toMatchObject({ state: 'awaiting_approval', receipt: 'wanted' });
  expect(await submit('--priority', 'x')).toMatchObject({ exit: 2, output: expect.stringContaining('--priority') });
  expect(await run(['queues', 'apply', file('bad.json', {})])).toMatchObject({ exit: 2 });
});

test('a job that is waited for prints its result, and one that failed its error', async () => {
  const { run, api, env } = system;
  using folder = testFolder();
  const file = (name: string, value: unknown) => {
    const path = join(folder.path, name);
    writeFileSync(path, JSON.stringify(value));
    return path;
  };
  const queue = 'acme.shout-text';
  const jobs = file('jobs.json', [{ name: queue, contract: { ...contract, payload: true, attempts: 1 } }]);
  expect((await run(['queues', 'apply', jobs])).exit).toBe(0);
  const call = async (url: string, payload: object) => {
    const headers = { 'x-api-key': env['PROOFLINE_KEY'] };
    return (await api.app.inject({ method: 'POST', url: `/v1/workers${url}`, payload, headers })).json();
  };
  const { worker } = await call('', { queues: [{ name: queue }], capacity: 1 });
  /** Ends the next job with a report. */
  const end = async (report: object) => {
    for (;;) {
      const { jobs: taken } = await call(`/${worker}/poll`, { credits: 1, jobs: [] });
      if (taken.length === 0) continue;
      const [{ id: job, attempt, token }] = taken;
      return await call(`/${worker}/report`, { reports: [{ job, attempt, token, ...report }] });
    }
  };
  const submitAndEnd = async (report: object, ...more: string[]) => {
    const [ended] = await Promise.all([run(['submit', queue, file('one.json', 1), '--wait', ...more]), end(report)]);
    return ended;
  };
  const result = { text: 'HELLO', list: [1] };
  const done = await submitAndEnd({ type: 'succeeded', result });
  expect([done.exit, done.output]).toEqual([0, expect.stringMatching(/^The job \S+ succeeded\.\n/)]);
  expect(JSON.parse(done.output.slice(done.output.indexOf('{')))).toEqual(result);
  const asJson = await submitAndEnd({ type: 'succeeded', result }, '--json');
  expect(JSON.parse(asJson.output)).toMatchObject([{ state: 'succeeded', result }]);
  const failed = await submitAndEnd({ type: 'failed', error: { code: 'too_loud', message: 'It was too loud.' } });
  expect(failed).toEqual({
    exit: 1,
    output: expect.stringMatching(/^The job \S+ failed: It was too loud\. \(too_loud\)\n$/),
  });
});
