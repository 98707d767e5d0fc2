import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stress } from '#queues/analytics.ts';
import { keepStep } from '#src/jobs/steps/keep-step.ts';
import { signalJob } from '#src/jobs/steps/signal-job.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { takeHome } from '#src/system/embedded/home-lock.ts';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { trial } from '#test/helpers/trial.ts';
import { claimsByHand } from '#test/jobs/steps/story.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

test('jobs are listed, found, read, awaited and cancelled', async () => {
  const { run, ask } = system;
  const done = await ask({ do: 'succeed', text: 'a needle' });
  expect(await run(['jobs', 'wait', done])).toEqual({
    exit: 0,
    output: expect.stringMatching(new RegExp(`^id .*\n${done} +trial.run +succeeded +1 `)),
  });
  const failed = await ask({ do: 'refuse' });
  const both = await run(['jobs', 'wait', done, failed, '--json']);
  expect(both.exit).toBe(1);
  expect(JSON.parse(both.output)).toMatchObject([
    { id: done, state: 'succeeded' },
    { id: failed, state: 'failed', error: { message: 'told to refuse' } },
  ]);

  const listed = await run(['jobs', '--state', 'failed']);
  expect(listed.output).toMatch(new RegExp(`^${failed} +trial.run +failed .* owner-1 +told to refuse$`, 'm'));
  expect(listed.output).not.toContain(done);
  const found = await run(['jobs', 'list', '--text', 'needle', '--json']);
  expect(JSON.parse(found.output)).toMatchObject({ data: [{ id: done }], next_cursor: null });
  const paged = await run(['jobs', '--limit', '1']);
  const [, cursor = ''] = /^more: --cursor (\S+)$/m.exec(paged.output) ?? [];
  expect((await run(['jobs', '--limit', '1', '--cursor', cursor])).output).toContain(done);

  const shown = await run(['jobs', 'show', failed]);
  expect(shown.output).toMatch(/^error +told to refuse \(invalid_request\)$/m);
  expect(shown.output).toMatch(/^events\n {2}\S+Z {2}queued\n {2}\S+Z {2}started\n {2}\S+Z {2}failed$/m);
  expect(shown.output).toMatch(/^attempts\n {2}1 {2}failed .* worker \S+ +told to refuse$/m);

  const waiting = await ask({ do: 'wait' });
  expect(await run(['jobs', 'wait', waiting, '--timeout', '0.1'])).toMatchObject({ exit: 3 });
  const cancelled = await run(['jobs', 'cancel', waiting, '--json']);
  expect(JSON.parse(cancelled.output)).toMatchObject({ id: waiting, state: 'cancelled' });
  expect(await run(['jobs', 'cancel', done])).toEqual({ exit: 1, output: expect.stringContaining('with 409: ') });

  const redriven = await run(['jobs', 'redrive', failed]);
  expect(redriven).toEqual({ exit: 0, output: expect.stringContaining(failed) });
  // its first end is not taken for its last
  expect(await run(['jobs', 'wait', failed])).toEqual({
    exit: 1,
    output: expect.stringMatching(/ failed +2 .* told to refuse$/m),
  });
});

test('a job that waits is shown with its steps, its signals and what it waits for', async () => {
  const { context } = system.api;
  const { job } = await submit(context, trial, {
    principal: { owner: 'owner-1' },
    payload: { do: 'succeed' },
    runAt: new Date(Date.now() + 3_600_000),
  });
  const fence = await (await claimsByHand(context))(job.id);
  await keepStep(context, fence, { name: 'charge', kind: 'step', after: 0, value: 1 });
  await signalJob(context, job.id, { name: 'early', payload: 1 });
  await suspend(context, fence, { on: { kind: 'signal', name: 'approve', timeoutMs: 3_600_000 }, after: 1 });
  const { output } = await system.run(['jobs', 'show', job.id]);
  expect(output).toMatch(/^state +waiting$/m);
  expect(output).toMatch(
    /^steps\n {2}charge +step +\S+Z\n {2}approve +signal +waits +since \S+Z +until \S+Z at the latest$/m,
  );
  expect(output).toMatch(/^signals\n {2}early +\S+Z +not taken$/m);
  expect((await system.run(['jobs', '--state', 'waiting'])).output).toContain(job.id);
});

test('what an error text holds steers no terminal', async () => {
  const id = await system.ask({ do: 'refuse' });
  await system.run(['jobs', 'wait', id]);
  const error = { code: 'internal', message: 'first\nsecond \u001b[2J third' };
  await system.api.context.db.query(
    sql.unsafe`update jobs set error = ${JSON.stringify(error)}::jsonb where id = ${id}`,
  );
  const { output } = await system.run(['jobs', '--text', id]);
  expect(output).toContain('first second \u{FFFD}[2J third');
});

test('a log is printed, and followed until its job has ended', { timeout: 240_000 }, async () => {
  const { run, ask, start } = system;
  const id = await ask({ do: 'say', text: 'half way', times: 2 });
  await run(['jobs', 'wait', id]);
  const { exit, output } = await run(['logs', id]);
  expect(exit).toBe(0);
  expect(output).toMatch(/^\S+Z info {2}#1 half way \{"n":1\}\n\S+Z info {2}#1 half way \{"n":2\}$/m);

  const waiting = await ask({ do: 'wait' });
  await using followed = start('logs', waiting, '--follow', '--json');
  // nothing has been said yet; the end says the first thing
  await run(['jobs', 'cancel', waiting]);
  expect(await followed.ended).toBe(0);
  const again = await run(['logs', id, '--follow', '--json']);
  const lines = again.output.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'half way')).toMatchObject([
    { fields: { n: 1 }, attempt: 1 },
    { fields: { n: 2 }, attempt: 1 },
  ]);
});

test('queues are listed, paused and resumed', async () => {
  const paused = await system.run(['queues', 'pause', stress.name, '--reason', 'a new model']);
  expect(paused).toEqual({ exit: 0, output: expect.stringMatching(/ by op since \S+Z: a new model$/m) });
  const listed = await system.run(['queues', '--json']);
  expect(JSON.parse(listed.output).data).toContainEqual(
    expect.objectContaining({ name: stress.name, paused: expect.objectContaining({ reason: 'a new model' }) }),
  );
  const resumed = await system.run(['queues', 'resume', stress.name, '--json']);
  expect(JSON.parse(resumed.output)).toMatchObject({ name: stress.name, paused: null });
});

test('without an address the system of the home is asked, with its admin key', async () => {
  using folder = testFolder();
  const env = { PROOFLINE_URL: '', PROOFLINE_KEY: '', PROOFLINE_HOME: folder.path };
  const ready = { url: system.url, keys: { admin: system.env['PROOFLINE_KEY'] }, servers: { api: { pid: 1 } } };
  writeFileSync(join(folder.path, 'ready.json'), JSON.stringify(ready));
  expect(await system.run(['queues'], env)).toEqual({
    exit: 2,
    output: expect.stringContaining('its ready.json is left from one that was killed'),
  });
  await using _lock = await takeHome(folder.path);
  expect(await system.run(['queues'], env)).toEqual({ exit: 0, output: expect.stringContaining(stress.name) });
});

test('error: no service, the wrong one, and what is not there or not the caller’s give a sentence', async () => {
  const { secret } = await system.api.key({ owner: 'owner-2' });
  const none = { PROOFLINE_URL: '', PROOFLINE_KEY: '', PROOFLINE_HOME: '/nowhere' };
  const cases: [args: string[], env: Record<string, string>, exit: number, says: RegExp][] = [
    [['jobs'], none, 2, /^expected --url with PROOFLINE_KEY, or a system that runs on \/nowhere; got neither/],
    [['jobs'], { PROOFLINE_KEY: '' }, 2, /^PROOFLINE_KEY: expected a key of the service at --url/],
    [['jobs'], { PROOFLINE_URL: 'proofline.example' }, 2, /^--url: expected an address that starts with https/],
    [
      ['jobs'],
      { PROOFLINE_URL: 'http://127.0.0.1:9' },
      1,
      /^expected an API at http:\/\/127\.0\.0\.1:9, got no answer/,
    ],
    [['jobs'], { PROOFLINE_KEY: 'sk-platform-none' }, 1, /401: .* PROOFLINE_KEY takes a key of that service/],
    [['jobs', '--state', 'lost'], {}, 2, /'lost' is invalid.*running/s],
    [['jobs', 'show', 'x'], {}, 2, /with 400: .*id/],
    [['jobs', 'wait', randomUUID()], {}, 1, /with 404: /],
    [['jobs', 'wait', randomUUID(), '--timeout', 'soon'], {}, 2, /^--timeout: expected seconds/],
    [['logs', randomUUID(), '--follow'], {}, 1, /with 404: /],
    [['queues', 'pause', stress.name], { PROOFLINE_KEY: secret }, 1, /with 403: .*operator/],
  ];
  for (const [args, env, exit, says] of cases)
    expect([args, await system.run(args, env)]).toEqual([args, { exit, output: expect.stringMatching(says) }]);
});
