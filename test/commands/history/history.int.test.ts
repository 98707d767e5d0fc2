import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillHistory } from '#src/jobs/history/fill-history.ts';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';

const queue = 'acme.count-words';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
  const { context } = system.api;
  const client = new pg.Client({ connectionString: context.config.DATABASE_URL });
  await client.connect();
  await fillHistory(context, client);
  await client.query(`
    update queue_history_spans set since = now() - interval '3 hours'`);
  await client.query(`
    insert into queue_history
    select 'analytics.fit', group_name, 600, date_bin('10 minutes', now() - interval '1 hour', '2000-01-01'), 9, 9, 7, 2, 0, 0, 1, '{"100": 9}', '{"0": 9}'
    from unnest(array['', 'acme']) group_name`);
  await client.end();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

test('the past of a queue is printed for people and for programs', async () => {
  const { exit, output } = await system.run(['queues', 'history', 'analytics.fit', '--since', '2h', '--step', '10m']);
  expect(exit).toBe(0);
  expect(output).toMatch(/^ended ▕.*█.*▏$/m);
  expect(output).toMatch(/^together +9 +7 +2 +0 +0 +1 /m);
  expect(output).toMatch(/^acme +9 +7 +2 +0 +0 +1 /m);
  const json = await system.run(['queues', 'history', 'analytics.fit', '--since', '2h', '--step', '10m', '--json']);
  expect(JSON.parse(json.output)).toMatchObject({
    step_seconds: 600,
    total: { failed: 2 },
    groups: [{ name: 'acme' }],
  });
});

test('without a queue it is that of all, and top has the last hour in a line', async () => {
  const { exit, output } = await system.run(['queues', 'history', '--since', '2h', '--step', '10m']);
  expect(exit).toBe(0);
  expect(output).toMatch(/^analytics\.fit +9 /m);
  expect((await system.run(['top', '--once'])).output).toMatch(/^last hour ▕.*▏ \d+ ended, \d+ failed/m);
});

test.each<[string[], string, number]>([
  [['analytics.fit', '--since', 'monday'], '--since: expected a time such as 90m, 24h or 30d', 2],
  [['--group', 'acme'], '--group: expected a queue whose group it is, got none.', 2],
  [[queue], queue, 1],
])('error: queues history %j', async (args, message, code) => {
  const { exit, output } = await system.run(['queues', 'history', ...args]);
  expect(exit).toBe(code);
  expect(output).toContain(message);
});
