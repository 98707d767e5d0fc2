import { afterAll, beforeAll, expect, test } from 'vitest';
import { submit } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';
import { trial } from '#test/helpers/trial.ts';
import { startActingFleet } from '#test/http/jobs/acting-fleet.ts';
import type { Fleet } from '#workers/run/fleet.ts';

let system: CommandSystem;
let fleet: Fleet;
beforeAll(async () => {
  system = await commandSystem();
  // what is redriven stands in line, and is fed from there
  startSweep(system.api.context, [trial.name]);
  fleet = await startActingFleet(system.api.context);
}, 240_000);
afterAll(async () => {
  await fleet?.drain();
  await system[Symbol.asyncDispose]();
});

test('many jobs are previewed, then redriven with --yes, and the end is printed', async () => {
  const { run, ask } = system;
  const failed = [await ask({ do: 'refuse', text: 'first' }), await ask({ do: 'refuse', text: 'second' })];
  expect((await run(['jobs', 'wait', ...failed])).exit).toBe(1);
  const filter = ['--error-code', 'invalid_request', '--owner', 'owner-1'];
  const previewed = await run(['jobs', 'redrive', ...filter, '--preview', '--json']);
  expect(JSON.parse(previewed.output)).toMatchObject({
    action: 'redrive',
    count: 2,
    sample: failed.map((id) => ({ id })),
  });
  expect(await run(['jobs', 'redrive', ...filter])).toEqual({
    exit: 1,
    output: expect.stringMatching(/redrive is about 2 jobs:[^]*Nothing was done/),
  });
  expect(await run(['jobs', 'redrive', ...filter, '--text', 'first', '--rate', '100', '--yes'])).toEqual({
    exit: 0,
    output: expect.stringMatching(/redrive is about 1 job:[^]*the job \S+ does it\n1 done, 0 skipped, 0 failed\n$/),
  });
  await run(['jobs', 'wait', failed[0]!]);
  const shown = JSON.parse((await run(['jobs', 'show', failed[0]!, '--json'])).output);
  expect(shown.timeline.events.map(({ type }: { type: string }) => type)).toContain('redriven');
});

test('waiting jobs get another priority, expire, or are cancelled; a filter of nothing is wrong use', async () => {
  const { run } = system;
  const { context } = system.api;
  const later = async () =>
    (
      await submit(context, trial, {
        principal: { owner: 'owner-3' },
        payload: { do: 'succeed' },
        runAt: new Date(Date.now() + 3_600_000),
      })
    ).job.id;
  const [first, second] = [await later(), await later()];
  const mine = ['--owner', 'owner-3', '--yes'];
  expect((await run(['jobs', 'reprioritise', '7', ...mine])).output).toContain('2 done');
  expect(JSON.parse((await run(['jobs', 'show', first, '--json'])).output).job).toMatchObject({ priority: 7 });
  expect((await run(['jobs', 'expire', ...mine, '--parent', first])).output).toContain('expire is about 0 jobs.');
  expect((await run(['jobs', 'expire', ...mine, '--text', second])).output).toContain('1 done');
  expect((await run(['jobs', 'cancel', ...mine])).output).toContain('1 done');
  for (const id of [first, second])
    expect(JSON.parse((await run(['jobs', 'show', id, '--json'])).output).job.state).toBe('cancelled');

  for (const [args, says] of [
    [['cancel'], 'expected the id of a job, or a filter'],
    [['cancel', '--queue', 'trial.run', '--rate', 'fast'], '--rate: expected a whole number'],
    [['redrive', '--unknown-effects', 'send_again'], '--unknown-effects: expected the id of one job'],
    [['expire', '--state', 'running'], 'running'],
  ] as const)
    expect(await run(['jobs', ...args])).toEqual({ exit: 2, output: expect.stringContaining(says) });
});
