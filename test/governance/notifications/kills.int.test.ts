import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCommand } from '#test/helpers/processes.ts';
import { openReceiver } from '#test/studio/receiver.ts';
import { notificationWorld } from './world.ts';

const program = fileURLToPath(new URL('./dying.ts', import.meta.url));

/** Statements at which the process dies: of the leader, then of the sender. */
const points: readonly (readonly [pattern: string, when: 'before' | 'after'])[] = [
  ['insert into webhook_deliveries', 'before'],
  ['insert into webhook_deliveries', 'after'],
  ['insert into notification_cursors', 'before'],
  ['insert into notification_cursors', 'after'],
  ["set state = 'sending'", 'before'],
  ["set state = 'sending'", 'after'],
  ['set sender = s.job', 'before'],
  ['set sender = s.job', 'after'],
  ['d.batch = \\$[0-9]+ order by', 'before'],
  ['from webhook_secrets where name', 'after'],
  ['set attempts = attempts \\+ 1, status = \\$', 'before'],
  ['set attempts = attempts \\+ 1, status = \\$', 'after'],
  ['set batch = null, state', 'before'],
  ['set batch = null, state', 'after'],
];

test('whatever statement the leader and the sender die at, each event arrives, and under one id', {
  timeout: 240_000,
}, async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld(
    { PLATFORM_WEBHOOK_ORIGINS: receiver.origin, LEASE_MS: '1500', BEAT_MS: '300' },
    { notify: false, fleet: false },
  );
  const jobs: string[] = [];
  const heard = () => new Set(receiver.messages.map(({ raw }) => JSON.parse(raw).data.id as string));
  await world.endpoint({ url: `${receiver.origin}/`, events: ['job.succeeded'] });
  const run = (pattern: string, when: string) => runCommand(process.execPath, [program, pattern, when], world.env);
  for (const [pattern, when] of points) {
    await using child = run(pattern, when);
    jobs.push(await world.end('succeeded'));
    expect([pattern, when, await child.ended]).toEqual([pattern, when, 'SIGKILL']);
  }
  await using _last = run('no statement is so', 'before');
  await expect
    .poll(
      async () => {
        // pauses after attempts that were broken off
        await world.pass(0.1);
        return heard();
      },
      { timeout: 60_000 },
    )
    .toEqual(new Set(jobs));
  await expect
    .poll(async () => new Set((await world.deliveries()).map(({ state }) => state)))
    .toEqual(new Set(['delivered']));
  const names = receiver.messages.map(({ id, raw }) => `${JSON.parse(raw).data.id} ${id}`);
  expect(new Set(names).size).toBe(jobs.length);
});
