import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFlows } from '#src/jobs/flows/start-flows.ts';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';
import { testFolder } from '#test/helpers/processes.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

test('a flow is submitted, listed, shown and cancelled from the terminal; a job is submitted with its key and its order', async () => {
  const { api, run } = system;
  using folder = testFolder();
  startFlows(api.context);
  const { headers } = await api.key({ owner: 'op', operator: true });
  const contract = { title: 'Resize', payload: { type: 'object' }, result: {} };
  await api.app.inject({ method: 'PUT', url: '/v1/queues/acme.resize-image', headers, payload: { contract } });
  const file = join(folder.path, 'flow.json');
  const payload = join(folder.path, 'payload.json');
  writeFileSync(payload, '{}');
  const node = { queue: 'acme.resize-image', payload: {} };
  writeFileSync(
    file,
    JSON.stringify({
      name: 'two',
      nodes: [
        { ...node, name: 'a' },
        { ...node, name: 'b', depends_on: ['a'] },
      ],
    }),
  );

  const made = await run(['flows', 'submit', file]);
  expect([made.exit, made.output]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}\n$/)]);
  const id = made.output.trim();
  expect((await run(['flows'])).output).toContain(`${id}  two`);
  await expect.poll(async () => (await run(['flows', 'show', id])).output).toMatch(/^a +running +acme\.resize-image/m);
  expect(JSON.parse((await run(['flows', 'show', id, '--json'])).output)).toMatchObject({
    name: 'two',
    nodes: [{ name: 'a' }, { name: 'b' }],
  });
  expect((await run(['flows', 'cancel', id])).output).toContain('two: cancelled');
  expect(await run(['flows', 'redrive', id])).toMatchObject({ exit: 0, output: expect.stringContaining('two: ') });
  // it is under way again
  expect(await run(['flows', 'redrive', id])).toMatchObject({ exit: 1, output: expect.stringContaining('failed') });

  const submit = async (...more: string[]) => await run(['submit', 'acme.resize-image', payload, ...more]);
  const first = await submit('--unique', 'k', '--delay', '60');
  expect(await submit('--unique', 'k')).toEqual(first);
  const replaced = await submit(
    '--unique',
    'k',
    '--unique-while',
    'queued',
    '--on-conflict',
    'replace',
    '--delay',
    '90',
  );
  expect(replaced).toEqual(first);
  expect(await submit('--unique', 'k', '--on-conflict', 'refuse')).toMatchObject({ exit: 1 });
  const second = await submit('--depends-on', first.output.slice(0, 36), '--on-failure', 'continue', '--json');
  expect([second.exit, second.output]).toEqual([0, expect.stringContaining('"state": "waiting"')]);
  expect(await submit('--on-failure', 'continue')).toMatchObject({
    exit: 2,
    output: expect.stringContaining('on_failure'),
  });
});
