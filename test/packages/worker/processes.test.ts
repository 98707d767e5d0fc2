import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runCommand, testFolder, until } from '#test/helpers/processes.ts';
import { fromSource } from '#test/packages/readme-files.ts';
import { protocolServer } from './protocol-server.ts';

const root = join(import.meta.dirname, '../../..');

/** A worker as a program: its job waits for a file called `go`, and says which release it is of. */
function program(folder: string) {
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'worker.ts'),
    "import { serve } from '@proofline/worker';\nimport { job } from './job.ts';\nawait serve([job]);\nconsole.log('ended');\n",
  );
  const release = (name: string) =>
    writeFileSync(
      join(folder, 'job.ts'),
      `import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineJob } from '@proofline/worker';
export const job = defineJob({
  name: 'acme.release',
  payload: true,
  run: async ({ signal }) => {
    while (!existsSync(${JSON.stringify(join(folder, 'go'))})) {
      await sleep(10);
      signal.throwIfAborted();
    }
    return ${JSON.stringify(name)};
  },
});
`,
    );
  release('first');
  return { release, go: () => writeFileSync(join(folder, 'go'), '') };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s lets what runs end, and then the process ends by itself',
  async (signal) => {
    using folder = testFolder();
    await using server = await protocolServer();
    const { go } = program(folder.path);
    const env = { PROOFLINE_URL: server.url, PROOFLINE_KEY: 'sk-1' };
    await using worker = runCommand(process.execPath, [...fromSource, 'worker.ts'], env, folder.path);
    const job = server.submit('acme.release');
    await server.taken(job);
    worker.child.kill(signal);
    await until(() => server.callsOf('poll').at(-1)?.body['credits'] === 0);
    expect(job.end).toBeNull();
    go();
    expect(await worker.ended).toBe(0);
    expect(job.end).toMatchObject({ type: 'succeeded', result: 'first' });
    expect(worker.output()).toMatch(/info left[\s\S]*ended\n$/);
  },
);

test('a second SIGINT does not wait for the rest, which goes back', async () => {
  using folder = testFolder();
  await using server = await protocolServer();
  program(folder.path);
  const env = { PROOFLINE_URL: server.url, PROOFLINE_KEY: 'sk-1' };
  await using worker = runCommand(process.execPath, [...fromSource, 'worker.ts'], env, folder.path);
  const job = server.submit('acme.release');
  await server.taken(job);
  while (job.end === null) {
    worker.child.kill('SIGINT');
    // one that comes at once is the echo of a launcher
    await sleep(700);
  }
  expect(job.end).toMatchObject({ type: 'released' });
  expect(await worker.ended).toBe(0);
});

test('under node --watch a change waits for what runs, and the next job is run by the new code', async () => {
  using folder = testFolder();
  await using server = await protocolServer();
  const { release, go } = program(folder.path);
  const env = { PROOFLINE_URL: server.url, PROOFLINE_KEY: 'sk-1' };
  await using watching = runCommand(process.execPath, [...fromSource, '--watch', 'worker.ts'], env, folder.path);
  const job = server.submit('acme.release');
  await server.taken(job);
  release('second');
  await until(() => server.callsOf('poll').at(-1)?.body['credits'] === 0);
  const next = server.submit('acme.release');
  go();
  expect(await server.ended(job)).toMatchObject({ type: 'succeeded', result: 'first' });
  expect(await server.ended(next)).toMatchObject({ type: 'succeeded', result: 'second' });
  expect([job.attempt, next.attempt]).toEqual([1, 1]);
  watching.child.kill('SIGTERM');
  await watching.ended;
});
