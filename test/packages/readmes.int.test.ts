import { expect, test } from 'vitest';
import { runCommand, testFolder } from '#test/helpers/processes.ts';
import { openApi } from './open-api.ts';
import { fromSource, writeExamples } from './readme-files.ts';

test('the examples of the packages run against the API, worker and caller each in its own process', async () => {
  await using open = await openApi();
  using folder = testFolder();
  const env = { PROOFLINE_URL: open.url, PROOFLINE_KEY: open.key };
  const [worker, client] = ['packages/worker/README.md', 'packages/client/README.md'].map((page) =>
    writeExamples(folder.path, page),
  );
  const start = (cwd: string | undefined, file: string) =>
    runCommand(process.execPath, [...fromSource, file], env, cwd);
  const run = async (cwd: string | undefined, file: string) => {
    await using script = start(cwd, file);
    return [await script.ended, script.output()];
  };
  await using serving = start(worker, 'worker.ts');
  await serving.printed(/info registered \{"worker":"[0-9a-f-]+","capacity":20,"queues":\["acme\.shout-text"\]\}/);
  expect(await run(worker, 'app.ts')).toEqual([0, 'HELLO!\n']);
  expect(await run(client, 'app.ts')).toEqual([
    0,
    expect.stringMatching(/^queued\nstarted\n(progress\n)?succeeded\n\{ text: 'HELLO!' \}\n$/),
  ]);
  expect(await run(client, 'many.ts')).toEqual([0, '0: accepted\n1: accepted\n2: accepted\n']);
  expect(await run(client, 'many.ts')).toEqual([0, '0: was there\n1: was there\n2: was there\n']);
  expect(await run(client, 'errors.ts')).toEqual([0, 'invalid_payload 422 false\n']);
  serving.child.kill('SIGTERM');
  expect(await serving.ended).toBe(0);
  expect(serving.output()).toContain('info left');
});
