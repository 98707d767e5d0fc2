import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { queues } from '#queues/index.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';
import { runCommand } from '#test/helpers/processes.ts';

/** These start commands in processes of their own, which takes long on a machine that does other things. */
const patient = { timeout: 240_000 };

const program = join(import.meta.dirname, '../../../src/cli.ts');
const hasScript = spawnSync('script', ['--version']).status === 0;

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

/** A line to the API that can be cut. */
async function openLine(url: string) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => [near, far].forEach((one) => one.destroy()));
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    [Symbol.dispose]: () => {
      cut();
      server.close();
    },
  };
}

test('top prints once, for people, and for programs', async () => {
  const { exit, output } = await system.run(['top', '--once']);
  expect(exit).toBe(0);
  expect(output).toMatch(/^Proofline at http\S+, everybody’s jobs, \S+Z\n\d+ queued, /);
  for (const name of queues.keys()) expect(output).toMatch(new RegExp(`^${name} `, 'm'));
  expect(output).toMatch(/^fleet +workers +running\n.*^analytics /ms);
  const json = await system.run(['top', '--once', '--json']);
  expect(JSON.parse(json.output)).toMatchObject({ whose: 'all', queues: [...queues.keys()].map((name) => ({ name })) });
});

test('error: a key that the service does not take ends top, however often it would ask again', async () => {
  expect(await system.run(['top'], { PROOFLINE_KEY: 'sk-platform-none' })).toEqual({
    exit: 1,
    output: expect.stringContaining('401'),
  });
});

test(
  'without a terminal top says so, prints whenever something changes, and survives a cut line',
  patient,
  async () => {
    using line = await openLine(system.url);
    await using script = runCommand(process.execPath, [program, 'top'], { ...system.env, PROOFLINE_URL: line.url });
    await script.printed(/^this is no terminal/m);
    await script.printed(new RegExp(`^${fit.name} +· `, 'm'));
    line.cut();
    await script.printed(/^lost the stream \(.*\); trying again/m);
    await submit(system.api.context, fit, { principal: { owner: 'owner-1' }, payload: { chainId: randomUUID() } });
    await script.printed(new RegExp(`^${fit.name} +1 `, 'm'));
    script.child.kill('SIGTERM');
    expect(await script.ended).toBe(0);
  },
);

test.skipIf(!hasScript)('in a terminal top draws in place, and gives the terminal back', patient, async () => {
  const shell = `stty cols 70 rows 12; "${process.execPath}" "${program}" top; echo "ended with $?"; stty -a`;
  const inTerminal = () => runCommand('script', ['-qefc', shell, '/dev/null'], system.env, undefined, 'pipe');
  await using first = inTerminal();
  await using second = inTerminal();
  for (const [top, key] of [
    [first, 'q'],
    [second, '\u0003'],
  ] as const) {
    await top.printed(/everybody’s jobs.*… \d+ more queues/s);
    top.child.stdin?.write(key);
    expect(await top.ended).toBe(0);
    const [before, , after] = top.output().split(/\[\?1049[hl]/);
    // what the shell had is shown again, and its keys are heard as before
    expect([before, after]).toEqual([
      expect.any(String),
      expect.stringMatching(/ended with 0.*\sisig icanon.*\secho /s),
    ]);
    expect(after).not.toContain('queued');
  }
});
