import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { markUnknown, openBudget, reserve } from '#src/governance/budgets/budgets.ts';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem({ UNKNOWN_CALL_HOURS: '1' });
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

async function unknownCall(): Promise<string> {
  const { context } = system.api;
  const call = { job: randomUUID(), provider: 'one' };
  await openBudget(context.db, 'b', null);
  const about = { owner: 'owner-1', keyId: null, surface: 'platform', capability: 'text.generate' } as const;
  await reserve(context, { ...call, ...about, budgets: ['b'], quoted: 8_000 });
  await markUnknown(context, call, 'the connection broke off', 5_000);
  return call.job;
}

test('unknown calls are listed, written off and billed', async () => {
  const { run, api } = system;
  expect(await run(['calls'])).toEqual({
    exit: 0,
    output: expect.stringContaining('0 unknown calls hold $0.000000; each is written off after 1 hour.'),
  });
  const [first, second] = [await unknownCall(), await unknownCall()];
  const listed = await run(['calls', 'list', '--provider', 'one', '--limit', '1']);
  expect(listed.output).toContain('2 unknown calls hold $0.010000');
  expect(listed.output).toMatch(
    new RegExp(`^${first} +one +owner-1 +unknown +\\$0.005000 .* the connection broke off$`, 'm'),
  );
  const [, cursor = ''] = /^more: --cursor (\S+)$/m.exec(listed.output) ?? [];
  expect((await run(['calls', '--limit', '1', '--cursor', cursor])).output).toContain(second);

  const written = await run(['calls', 'write-off', first, 'one', '--reason', 'not on the invoice']);
  expect(written).toEqual({ exit: 0, output: expect.stringMatching(/written_off .* op +not on the invoice$/m) });
  const billed = await run(['calls', 'bill', second, 'one', '--usd', '0.0042', '--json']);
  expect(JSON.parse(billed.output)).toMatchObject({ status: 'billed', billed_usd: 0.0042, decided_by: 'op' });
  expect(await readBudget(api.context, 'b')).toMatchObject({ reserved: 0, spent: 4_200 });
  expect(billed.output).not.toContain('the last one counts');
  const corrected = await run(['calls', 'bill', first, 'one', '--usd', '0.001', '--reason', 'on the next invoice']);
  expect(corrected.output).toMatch(
    new RegExp(
      `decisions about ${first} one, the last one counts\\n.*\\n.* written_off +\\$0.000000 +op +not on the invoice\\n.* billed +\\$0.001000 +op +on the next invoice`,
    ),
  );
  const decided = await run(['calls', 'list', '--decided']);
  expect(decided.output).toContain(first);
  expect(decided.output).toContain(second);
});

test('error: wrong use, and what is no unknown call', async () => {
  const { run } = system;
  const job = randomUUID();
  expect(await run(['calls', 'bill', job, 'one'])).toMatchObject({ exit: 2 });
  for (const usd of ['much', '-1', '1e3', '0.0000001'])
    expect(await run(['calls', 'bill', job, 'one', `--usd=${usd}`]), usd).toMatchObject({ exit: 2 });
  expect(await run(['calls', 'write-off', job, 'one'])).toEqual({
    exit: 1,
    output: expect.stringContaining('with 404: '),
  });
});
