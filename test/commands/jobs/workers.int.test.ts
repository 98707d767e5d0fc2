import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

const queue = 'acme.resize-image';
const contract = {
  title: 'Resize \u202eimages',
  payload: { type: 'object', properties: { '\u202ewidth': { type: 'integer' } } },
  result: {},
  attempts: 5,
};

test('connected workers are listed, and with the figures; a queue shows its contracts', async () => {
  const { api, run } = system;
  const { headers } = await api.key();
  const call = async (method: 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
    await api.app.inject({ method, url, headers, ...(payload && { payload }) });
  for (const version of [1, 2]) {
    const payload = { ...contract.payload, required: version === 1 ? [] : ['height'] };
    const { statusCode } = await call('PUT', `/v1/queues/${queue}`, { version, contract: { ...contract, payload } });
    expect(statusCode).toBe(201);
  }

  const shown = await run(['queues', 'show', queue]);
  expect(shown.exit).toBe(0);
  expect(shown.output).toMatch(
    /^acme\.resize-image@2 {2}Resize \u{FFFD}images\nregistered \S+ by key \S+, changed \S+\ndigest [0-9a-f]{64}\nattempts 5\npayload \{\n {2}"type": "object",\n/mu,
  );
  expect(shown.output).toContain('"\u{FFFD}width": {');
  expect(shown.output).toMatch(/^acme\.resize-image@1 /m);
  expect(JSON.parse((await run(['queues', 'show', queue, '--json'])).output)).toMatchObject({ versions: 2 });
  expect(await run(['queues', 'show', 'acme.other'])).toMatchObject({
    exit: 1,
    output: expect.stringContaining('404'),
  });

  expect((await run(['workers'])).output).toBe('id  name  queues  in hand  free  at once  since  last beat  library\n');

  const registered = await call('POST', '/v1/workers', {
    name: 'box\u001b[2J',
    queues: [{ name: queue }],
    capacity: 4,
    sdk: 'lib/1',
  });
  const { worker } = registered.json() as { worker: string };
  const listed = await run(['workers']);
  expect(listed.output).toMatch(
    new RegExp(`^${worker} {2}box\u{FFFD}\\[2J {2}acme\\.resize-image@2,1 +0 +0 +4 .* lib/1$`, 'mu'),
  );
  expect(JSON.parse((await run(['workers', 'list', '--json'])).output)).toMatchObject({
    data: [{ id: worker, capacity: 4 }],
  });
  expect((await run(['top', '--once'])).output).toMatch(/^box\u{FFFD}\[2J +· +· +4 {2}acme\.resize-image@2,1$/mu);
  expect((await call('DELETE', `/v1/workers/${worker}`)).statusCode).toBe(204);
});
