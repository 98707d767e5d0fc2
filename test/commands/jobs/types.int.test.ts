import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';
import { testFolder } from '#test/helpers/processes.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
  for (const [name, payload] of [
    ['acme.send-mail', { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }],
    ['acme.resize-image', true],
  ] as const) {
    const contract = { title: `Does ${name}`, payload, result: { type: 'null' } };
    const answer = await fetch(`${system.url}/v1/queues/${name}`, {
      method: 'PUT',
      headers: { 'x-api-key': system.env['PROOFLINE_KEY']!, 'content-type': 'application/json' },
      body: JSON.stringify({ contract }),
    });
    if (answer.status !== 201) throw new Error(`expected the queue ${name} to be registered, got ${answer.status}`);
  }
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

test('types of the queues that were registered are printed, or written into a file', async () => {
  const { exit, output } = await system.run(['types']);
  expect(exit).toBe(0);
  expect(output).toBe(`// Written by \`proofline types\` from the contracts of ${system.url}.
import '@proofline/client';

declare module '@proofline/client' {
  interface Queues {
    /** Does acme.resize-image (version 1) */
    "acme.resize-image": {
      payload: unknown;
      result: null;
      progress: unknown;
    };
    /** Does acme.send-mail (version 1) */
    "acme.send-mail": {
      payload: {
        to: string;
      };
      result: null;
      progress: unknown;
    };
  }
}
`);
  using folder = testFolder();
  const file = join(folder.path, 'queues.d.ts');
  const args = ['--key', system.env['PROOFLINE_KEY']!, '--queue', 'acme.send-mail', 'analytics.stress', '--out', file];
  const env = { PROOFLINE_KEY: '' };
  expect(await system.run(['types', ...args], env)).toEqual({
    exit: 0,
    output: `types of 2 queues written to ${file}\n`,
  });
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('"analytics.stress": {');
  expect(written).not.toContain('acme.resize-image');
});

test('error: a queue that is not there, and a file that cannot be written, are told', async () => {
  expect(await system.run(['types', '--queue', 'acme.none'])).toEqual({
    exit: 1,
    output: expect.stringContaining('GET /v1/queues/acme.none was answered with 404: '),
  });
  expect(await system.run(['types', '--queue', 'acme.send-mail', '--out', '/nowhere/queues.d.ts'])).toEqual({
    exit: 2,
    output: expect.stringMatching(
      /^--out: expected a file that can be written, got "\/nowhere\/queues\.d\.ts" \(ENOENT\)\./,
    ),
  });
});
