import { Command } from 'commander';
import { expect, test } from 'vitest';
import { compareContracts } from './compare-contracts.ts';
import { type Contracts, commandsOf, contractsOf, exportsOf, type Schema } from './contracts.ts';
import { frozenContracts, linesOf } from './frozen-contracts.ts';
import { releaseReport } from './report.ts';
import { isEnough, leastVersion, stepOf } from './version-step.ts';

const Job: Schema = {
  type: 'object',
  required: ['id', 'state'],
  properties: {
    id: { type: 'string' },
    state: { enum: ['queued', 'done'] },
    parent: { anyOf: [{ $ref: '#/components/schemas/Job' }, { type: 'null' }] },
  },
};

const openapi = (body: Schema, job: Schema = Job) => ({
  paths: {
    '/v1/jobs': {
      post: {
        parameters: [{ in: 'query', name: 'wait', required: false, schema: { type: 'integer', maximum: 60 } }],
        requestBody: { required: true, content: { 'application/json': { schema: body } } },
        responses: { 202: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Job' } } } } },
      },
    },
  },
  components: { schemas: { Job: job } },
});
const asyncapi = {
  channels: { jobs: { messages: { ended: { $ref: '#/components/messages/ended' } } } },
  components: { messages: { ended: { payload: { type: 'object', properties: { at: { type: 'string' } } } } } },
};
const Body: Schema = {
  type: 'object',
  required: ['queue'],
  properties: { queue: { type: 'string', maxLength: 100 }, urgent: { type: 'boolean' } },
  additionalProperties: false,
};
const tools = [{ name: 'ask', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }];
const settings = [{ name: 'PORT', default: '4000', takes: 'a port' }];
const program = () =>
  new Command('it').addCommand(new Command('jobs').argument('[id]').option('--json').option('--url <url>'));
const packages = { '@acme/client': ['Client', 'openClient'] };

const release = (more: Partial<Contracts> = {}, body = Body, job = Job): Contracts => ({
  ...contractsOf(
    '0.1.0',
    { openapi: openapi(body, job), asyncapi, tools, settings },
    { commands: commandsOf(program()), exports: packages },
  ),
  ...more,
});
const before = release();
const changesTo = (now: Contracts) =>
  compareContracts(before, now).map(({ effect, area, place, says }) => `${effect} ${area} ${place}: ${says}`);
const withBody = (more: object, required = ['queue']) =>
  changesTo(release({}, { ...Body, required, properties: { ...(Body['properties'] as object), ...more } }));
const withJob = (more: object, required = ['id', 'state']) =>
  changesTo(release({}, Body, { ...Job, required, properties: { ...(Job['properties'] as object), ...more } }));

test('the same contracts have no change, whatever their words and examples say', () => {
  expect(changesTo(release())).toEqual([]);
  expect(changesTo(release({}, { ...Body, description: 'Another', examples: [1], title: 'T', 'x-note': 1 }))).toEqual(
    [],
  );
});

const at = 'operations POST /v1/jobs';
test.each([
  [
    'a word less',
    withBody({ urgent: { enum: [true] } }),
    `breaks ${at} body application/json.urgent: takes [true] alone`,
  ],
  [
    'a tighter bound',
    withBody({ queue: { type: 'string', maxLength: 50 } }),
    `breaks ${at} body application/json.queue: maxLength is 50, was 100`,
  ],
  [
    'a wider bound',
    withBody({ queue: { type: 'string' } }),
    `adds ${at} body application/json.queue: maxLength is gone, was 100`,
  ],
  ['a new member', withBody({ note: { type: 'string' } }), `adds ${at} body application/json.note: is new`],
  [
    'a member that has to be there',
    withBody({}, ['queue', 'urgent']),
    `breaks ${at} body application/json.urgent: is required now`,
  ],
  [
    'another type',
    withBody({ urgent: { type: 'boolean' }, queue: { type: ['string', 'null'], maxLength: 100 } }),
    `adds ${at} body application/json.queue: may be null now`,
  ],
])('of what callers say: %s', (_, changes, wanted) => {
  expect(changes).toEqual([wanted]);
});

test.each([
  ['a member that is gone', withJob({ state: undefined }, ['id']), 'breaks operations Job.state: is gone'],
  ['a member that may be missing', withJob({}, ['id']), 'breaks operations Job.state: is optional now'],
  [
    'a member that may be null',
    withJob({ id: { type: ['string', 'null'] } }),
    'breaks operations Job.id: may be null now',
  ],
  [
    'a word more',
    withJob({ state: { enum: ['queued', 'done', 'late'] } }),
    'adds operations Job.state: has ["late"] too',
  ],
  ['a word less', withJob({ state: { enum: ['queued'] } }), 'adds operations Job.state: has ["done"] no more'],
  ['a member more', withJob({ cost: { type: 'number' } }), 'adds operations Job.cost: is new'],
])('of what they read, by the name of its schema and once: %s', (_, changes, wanted) => {
  expect(changes).toEqual([wanted]);
});

test('routes, parameters, messages, tools, settings and exports that come and go are named', () => {
  const [name, post] = Object.entries(before.operations)[0]!;
  const wanted = {
    ...post,
    parameters: { 'query wait': { required: true, schema: {} }, 'query by': { required: true, schema: {} } },
  };
  const changes = changesTo(
    release({
      operations: { [name]: wanted, 'GET /v1/jobs': post },
      messages: {},
      tools: {
        ask: { input: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }, output: {} },
        tell: { input: {}, output: {} },
      },
      settings: { PORT: { default: '80', takes: 'a port above 1024' } },
      exports: { '@acme/client': ['Client'], '@acme/worker': [] },
    }),
  );
  expect(changes).toEqual(
    expect.arrayContaining([
      'adds operations GET /v1/jobs: is new',
      'breaks operations POST /v1/jobs query wait: is required now',
      'breaks operations POST /v1/jobs query by: is required now',
      'breaks messages jobs ended: is gone',
      'breaks tools ask input.text: is required now',
      'adds tools tell: is new',
      'breaks settings PORT: takes a port above 1024; took a port',
      'adds settings PORT: the default is 80, was 4000',
      'breaks exports @acme/client openClient: is gone',
      'adds exports @acme/worker: is new',
    ]),
  );
});

test('commands, options and arguments that come and go are named', () => {
  const later = new Command('it').addCommand(
    new Command('jobs')
      .argument('<id>')
      .argument('<why>')
      .option('--json <file>')
      .requiredOption('--as <who>')
      .option('--all'),
  );
  expect(changesTo(release({ commands: commandsOf(later) }))).toEqual([
    'breaks commands jobs --url: is gone',
    'adds commands jobs --as: is new',
    'adds commands jobs --all: is new',
    'breaks commands jobs --json: takes a value now',
    'breaks commands jobs --as: is new and required',
    'breaks commands jobs id: is required now',
    'breaks commands jobs why: is new and required',
  ]);
  expect(changesTo(release({ commands: {} }))).toContain('breaks commands jobs: is gone');
});

test('below 1.0.0 what breaks asks for a minor version and what adds for a patch, afterwards each for one more', () => {
  expect([stepOf('0.3.1', { effect: 'breaks' }), stepOf('0.3.1', { effect: 'adds' })]).toEqual(['minor', 'patch']);
  expect([stepOf('1.3.1', { effect: 'breaks' }), stepOf('1.3.1', { effect: 'adds' })]).toEqual(['major', 'minor']);
  const change = (effect: 'breaks' | 'adds') => ({ area: 'settings', place: 'PORT', effect, says: 'is new' });
  expect([
    leastVersion('0.3.1', []),
    leastVersion('0.3.1', [change('adds')]),
    leastVersion('0.3.1', [change('adds'), change('breaks')]),
  ]).toEqual(['0.3.2', '0.3.2', '0.4.0']);
  expect([leastVersion('1.3.1', [change('adds')]), leastVersion('1.3.1', [change('breaks')])]).toEqual([
    '1.4.0',
    '2.0.0',
  ]);
  expect([isEnough('0.10.0', '0.9.9'), isEnough('1.0.0', '1.0.0'), isEnough('0.9.10', '0.10.0')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(() => isEnough('next', '0.1.0')).toThrow('expected a version such as 0.1.0, got next');
});

test('the report names each change with its step, what breaks first, and fails where the version is too small', () => {
  const changes = compareContracts(
    before,
    release({ settings: {}, tools: { ...before.tools, tell: { input: {}, output: {} } } }),
  );
  const report = (version: string) => releaseReport({ released: '0.1.0', version }, changes);
  expect(report('0.1.1')).toEqual({
    least: '0.2.0',
    isEnough: false,
    text: 'minor  settings  PORT: is gone\npatch  tools  tell: is new\n2 changes since 0.1.0: 0.2.0 or larger is needed, package.json has 0.1.1\n',
  });
  expect(report('0.2.0').isEnough).toBe(true);
  expect(releaseReport({ released: '0.1.0', version: '0.1.0' }, []).isEnough).toBe(true);
});

test('the names that an entry exports are read from its lists, its declarations and what it passes on', () => {
  const source = `export { a, type B } from './a.ts';\nexport type { C as D } from './c.ts';\nexport type * from './all.ts';\nexport async function run() {}\nexport interface Options {}\n`;
  expect(exportsOf(source)).toEqual(['B', 'D', 'Options', 'a', "export type * from './all.ts';", 'run'].toSorted());
});

test('the frozen contracts of the last release are whole, and read as they were written', () => {
  const frozen = frozenContracts();
  expect(frozen.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(JSON.parse(linesOf(frozen))).toEqual(frozen);
  for (const [part, least] of [
    ['operations', 150],
    ['messages', 100],
    ['tools', 10],
    ['commands', 40],
    ['settings', 100],
  ] as const)
    expect(Object.keys(frozen[part]).length, part).toBeGreaterThan(least);
  expect(compareContracts(frozen, frozen)).toEqual([]);
});
