import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { testSystem } from '#test/helpers/jobs.ts';
import { runCommand, until } from '#test/helpers/processes.ts';

const worker = (env: Readonly<Record<string, string>>, fleet = 'analytics') =>
  runCommand(process.execPath, ['src/cli.ts', 'worker', fleet], { ...env, LOG_LEVEL: 'info' });

/** ms that it took to end after SIGTERM, and its exit code. */
async function terminated(process: ReturnType<typeof worker>) {
  const since = performance.now();
  process.child.kill('SIGTERM');
  const code = await process.ended;
  return { code, took: performance.now() - since };
}

test('a worker that is asked to stop ends in time although its lease connection hangs', async () => {
  await using system = await testSystem();
  await using hanging = worker(system.env);
  await hanging.printed(/the fleet is ready/);
  const [pid] = await system.context.db.anyFirst(
    sql.unsafe`select pid from pg_stat_activity where datname = current_database() and application_name = 'proofline-lease'`,
  );
  process.kill(Number(pid), 'SIGSTOP');
  try {
    const { took } = await terminated(hanging);
    expect(took).toBeLessThan(300 + 5_000);
  } finally {
    process.kill(Number(pid), 'SIGCONT');
  }
});

test.each([['worker', 'analytics'], ['api']])(
  'error: %s that waits at its start for a Postgres that says nothing ends at once when it is stopped',
  async (...command) => {
    await using system = await testSystem();
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await using hanging = runCommand(process.execPath, ['src/cli.ts', ...command], {
      ...system.env,
      LOG_LEVEL: 'info',
      DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c`,
    });
    await until(() => sockets.size > 0);
    const { code, took } = await terminated(hanging);
    expect(code).toBe(0);
    expect(took).toBeLessThan(300 + 5_000);
    for (const socket of sockets) socket.destroy();
    silent.close();
  },
);

test('error: a wrong file of providers ends the start of a fleet that calls them, with the sentence and exit code 2', async () => {
  await using system = await testSystem();
  const env = { ...system.env, PROVIDERS_FILE: '/nowhere/providers.json' };
  await using studio = worker(env, 'studio');
  expect(await studio.ended).toBe(2);
  expect(studio.output()).toContain('PROVIDERS_FILE: expected a file that can be read at /nowhere/providers.json');
  expect(studio.output()).not.toContain('the fleet is ready');
  await using analytics = worker(env);
  await analytics.printed(/the fleet is ready/);
});
